package org.fleetgrad.ps.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.health.contributor.Status;

@Timeout(60)
class AliveHealthTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    @Test
    void shouldBeDownWhenNoVersionCouldBeServedForALongTime() {
        // Memory for a few files of six values: a file with its header has several hundred bytes.
        try (RunningService service = RunningService.start("ps.snapshot-memory=2KB")
                .startingAt(0, 0, 0, 0, 0, 0)
                .withWorkers("a")) {
            PublishedParameters published = service.bean(PublishedParameters.class);
            AtomicLong now = new AtomicLong(System.nanoTime());
            AliveHealth health = new AliveHealth(service.bean(Training.class), published, now::get);
            List<ParameterSnapshot> slow = new ArrayList<>();
            int sequence = 0;
            while (published.skippedSince().isEmpty()) {
                slow.add(published.hold().orElseThrow());
                sequence++;
                assertThat(sequence).as("the memory ends").isLessThan(20);
                HttpResponse<byte[]> push = service.send(service.push("?pull=true", "a", sequence, sequence - 1, ONES));
                assertThat(push.statusCode()).as("a push is taken all the same").isEqualTo(200);
            }
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);

            now.addAndGet(AliveHealth.LONGEST_SKIP.toNanos() + 1_000_000_000L);

            assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
            slow.forEach(ParameterSnapshot::close);
            service.send(service.push("?pull=true", "a", sequence + 1, sequence - 1, ONES));
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            assertThat(service.send(service.get("/actuator/health/liveness")).statusCode())
                    .isEqualTo(200);
        }
    }
}

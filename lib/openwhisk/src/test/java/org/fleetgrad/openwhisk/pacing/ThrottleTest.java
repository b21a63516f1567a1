package org.fleetgrad.openwhisk.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.fleetgrad.openwhisk.Invocation.Reason;
import org.fleetgrad.openwhisk.Invocation.Throttled;
import org.fleetgrad.openwhisk.NamespaceLimits;
import org.junit.jupiter.api.Test;

/** What a person hears of the waits. */
class ThrottleTest {

    private final VirtualTime time = new VirtualTime();
    private final List<String> told = new ArrayList<>();
    private final Throttle throttle =
            new Throttle(new NamespaceLimits(60, 30, true), time.clock(), time, new Random(1), told::add);

    private void enter(int times) throws InterruptedException {
        for (int n = 0; n < times; n++) {
            assertThat(throttle.enter(Instant.MAX)).isTrue();
            throttle.release();
        }
    }

    @Test
    void shouldSayOnceThatItWaitsForTheRateLimitAndHowLong() throws InterruptedException {
        enter(1);
        time.sleep(Duration.ofSeconds(36));
        enter(59);
        assertThat(told).isEmpty();

        enter(10);

        assertThat(told).containsExactly("waiting for the rate limit, 60 a minute, 25 s");
    }

    @Test
    void shouldSayItAgainInAnotherMinute() throws InterruptedException {
        enter(121);

        assertThat(told)
                .containsExactly(
                        "waiting for the rate limit, 60 a minute, 61 s",
                        "waiting for the rate limit, 60 a minute, 61 s");
    }

    @Test
    void shouldSayThatTheControllerRefusesForTheRate() {
        throttle.refused(new Throttled(Reason.CONCURRENCY, Optional.of(Duration.ofSeconds(20)), "too many at a time"));
        assertThat(told).isEmpty();
        time.sleep(Duration.ofSeconds(30));

        throttle.refused(new Throttled(Reason.RATE, Optional.of(Duration.ofSeconds(20)), "too many a minute"));

        assertThat(told).containsExactly("waiting for the rate limit, 60 a minute, 20 s");
    }
}

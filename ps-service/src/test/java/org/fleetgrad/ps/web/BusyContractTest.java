package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.run.Assignments.ShardOutcome;
import org.fleetgrad.ps.training.Gate;
import org.fleetgrad.ps.training.Training;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

class BusyContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    @Configuration
    static class Beans {
        /** The listener of the run, which blocks the applier in the first push. */
        @Bean
        @Primary
        Gate gate() {
            return new Gate();
        }
    }

    @Test
    @Timeout(60)
    void shouldAnswerBusyWhileTheApplierIsHeldUp() throws Exception {
        try (RunningService service = RunningService.startWith(Beans.class, "ps.queue-capacity=2")
                .startingAt(ONES)
                .withWorkers("a", "b")) {
            Training training = service.bean(Training.class);
            Gate gate = service.bean(Gate.class);
            Awaitility.await().until(() -> training.queued() == 0);
            HttpRequest.Builder held = service.push("a", 1, 0, ONES);
            CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> service.send(held));
            gate.awaitEntered();
            fill(training);

            HttpResponse<byte[]> push = service.send(service.push("b", 1, 0, ONES));
            assertThat(push.headers().firstValue("Retry-After")).contains("1");
            assertThat(RunningService.body(push).get("detail").asString())
                    .isEqualTo("the queue is full: 2 of 2 submissions wait");
            service.refused(service.push("b", 1, 0, ONES), 503, ProblemKind.BUSY.rule());
            service.refused(
                    service.tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(ONES))
                            .header("If-Match", "*"),
                    503,
                    ProblemKind.BUSY.rule());
            gate.open();

            assertThat(first.join().statusCode()).isEqualTo(200);
            Awaitility.await().until(() -> training.queued() == 0);
            assertThat(service.send(service.push("b", 1, 0, ONES)).statusCode())
                    .as("the same push again")
                    .isEqualTo(200);
        }
    }

    /** Nothing leaves the queue while the applier is blocked. */
    private static void fill(Training training) {
        while (training.queued() < 2) {
            CompletableFuture<SubmissionResult<ShardOutcome>> unused = training.nextShard("b");
        }
        assertThat(training.queued()).isEqualTo(2);
    }
}

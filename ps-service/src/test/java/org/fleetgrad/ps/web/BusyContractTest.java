package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.training.Training;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BusyContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    @Test
    @Timeout(45)
    void shouldAnswerBusyWhileTheApplierIsHeldUp() {
        try (RunningService service =
                RunningService.start("ps.queue-capacity=1").startingAt(ONES).withWorkers("a")) {
            RunEvents events = service.bean(RunEvents.class);
            Training training = service.bean(Training.class);
            HttpRequest.Builder overwrite = service.tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(ONES))
                    .header("If-Match", "*");
            CompletableFuture<HttpResponse<byte[]>> overwritten;
            // The applier tells of an overwrite, and stands still there for as long as nobody else may.
            synchronized (events) {
                overwritten = CompletableFuture.supplyAsync(() -> service.send(overwrite));
                Awaitility.await().until(() -> service.version() == 1);
                fillQueue(training);

                HttpResponse<byte[]> push = service.send(service.push("a", 1, 1, ONES));
                assertThat(push.headers().firstValue("Retry-After")).contains("1");
                assertThat(RunningService.body(push).get("detail").asString())
                        .isEqualTo("1 gradients wait already, which is as many as may");
                service.refused(service.push("a", 1, 1, ONES), 503, ProblemRules.BUSY);
                service.refused(
                        service.tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(ONES))
                                .header("If-Match", "*"),
                        503,
                        ProblemRules.BUSY);
            }

            assertThat(overwritten.join().statusCode()).isEqualTo(200);
            Awaitility.await().until(() -> training.applier().queued() == 0);
            assertThat(service.send(service.push("a", 1, 1, ONES)).statusCode())
                    .as("the same push again")
                    .isEqualTo(200);
        }
    }

    private static void fillQueue(Training training) {
        while (training.applier().queued() == 0) {
            training.applier().membershipChanged();
        }
    }
}

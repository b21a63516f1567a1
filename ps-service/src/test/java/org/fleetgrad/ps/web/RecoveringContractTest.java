package org.fleetgrad.ps.web;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The server while it recovers its run. */
@Timeout(60)
class RecoveringContractTest {

    /** Recovers nothing, slowly. */
    static final class Slow extends TrainingStore.Noop {
        private final CountDownLatch open = new CountDownLatch(1);

        @Override
        public void recover(Replay replay) {
            try {
                assertThat(open.await(60, SECONDS)).isTrue();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Configuration
    static class Beans {
        @Bean
        @Primary
        Slow slow() {
            return new Slow();
        }
    }

    @Test
    void shouldSayThatItIsRecoveringUntilItIsReady() {
        try (RunningService service = RunningService.starting(Beans.class)) {
            Slow slow = service.bean(Slow.class);
            assertRefused(service.send(service.get(Routes.GET_PARAMETER)));
            assertRefused(service.send(service.get(Routes.GET_PARAMETER + "?after=0&waitMs=60000")));
            assertRefused(service.send(service.json(Routes.ROLLBACK, "{\"checkpoint\":1}")));
            assertRefused(
                    service.send(service.tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(1, 2, 3, 4, 5, 6))
                            .header("If-None-Match", "*")));
            assertRefused(service.send(service.push("a", 1, 0, 1, 1, 1, 1, 1, 1)));

            for (HttpRequest.Builder request : List.of(
                    service.get(Routes.GET_VERSION),
                    service.get(Routes.STATUS),
                    service.get("/nothing"),
                    service.json(Routes.REGISTER_WORKER, "{}"),
                    service.json(Routes.UNREGISTER_WORKER, "{\"id\":\"a\"}"))) {
                assertRefused(plain(request));
            }

            HttpResponse<byte[]> readiness = service.send(service.get("/actuator/health/readiness"));
            assertThat(readiness.statusCode()).isEqualTo(503);
            assertThat(RunningService.body(readiness).get("status").asString()).isEqualTo("OUT_OF_SERVICE");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(service.send(service.get("/actuator/health/liveness"))
                                    .statusCode())
                            .isEqualTo(200));
            assertThat(service.send(service.get("/actuator/prometheus")).statusCode())
                    .isEqualTo(200);

            slow.open.countDown();

            Awaitility.await()
                    .untilAsserted(() -> assertThat(service.send(service.get("/actuator/health/readiness"))
                                    .statusCode())
                            .isEqualTo(200));
            service.startingAt(1, 2, 3, 4, 5, 6);
        }
    }

    /** Every route is refused, also those whose 503 the contract does not document. */
    private static HttpResponse<byte[]> plain(HttpRequest.Builder request) {
        try {
            return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private static void assertRefused(HttpResponse<byte[]> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(RunningService.body(answer).get("type").asString())
                .isEqualTo("urn:fleetgrad:problem:" + ProblemKind.RECOVERING.rule());
        assertThat(RunningService.body(answer).get("detail").asString())
                .isEqualTo("the server is recovering its run: retry in a second");
    }
}

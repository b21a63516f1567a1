package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.awaitility.Awaitility;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Slow readers and slow senders take a bounded part of the memory. */
@Timeout(60)
class CrowdedContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    @Test
    void shouldTurnReadersAwayWhileSlowOnesHoldAsManyVersionsAsMayBeAlive() {
        try (RunningService service = RunningService.start("ps.max-snapshots=2", "ps.learning-rate=0.5")
                .startingAt(0, 0, 0, 0, 0, 0)
                .withWorkers("a")) {
            PublishedParameters published = service.bean(PublishedParameters.class);
            try (ParameterSnapshot slow = published.hold().orElseThrow()) {
                HttpResponse<byte[]> push = service.send(service.push("?pull=true", "a", 1, 0, ONES));
                JsonNode reply = RunningService.body(push);
                assertThat(reply.get("outcome").asString())
                        .as("a push is taken all the same")
                        .isEqualTo("applied");
                assertThat(reply.get("awaitNext").asBoolean()).isTrue();

                HttpRequest.Builder pull = service.get(Routes.GET_PARAMETER);
                JsonNode problem = service.refused(pull, 503, ProblemKind.BUSY.rule());
                assertThat(problem.get("detail").asString())
                        .matches(
                                "2 versions are alive and take [0-9]+ bytes, the limit: slow readers still hold old ones");
                assertThat(service.send(pull).headers().firstValue("Retry-After"))
                        .contains("1");
                service.refused(
                        service.get(Routes.GET_PARAMETER + "?after=0&waitMs=5000"), 503, ProblemKind.BUSY.rule());
                assertThat(slow.version().version()).isZero();
            }
            assertThat(service.values()).containsOnly(-0.5f);
            assertThat(RunningService.decoded(service.send(service.push("?pull=true", "a", 2, 1, ONES)))
                            .metadata())
                    .containsEntry("version", "2");
        }
    }

    @Test
    void shouldTakeAPushWhoseParametersFindNoMemoryInTheAskedEncoding() {
        long version;
        try (RunningService any = RunningService.start().startingAt(0, 0, 0, 0, 0, 0)) {
            version = any.bean(PublishedParameters.class).memory().usedBytes();
        }
        // The newest version and the next two: no room for an encoded one.
        try (RunningService service = RunningService.start("ps.snapshot-memory=%dB".formatted(3 * version))
                .startingAt(0, 0, 0, 0, 0, 0)
                .withWorkers("a")) {
            JsonNode reply =
                    RunningService.body(service.send(service.push("?pull=true&encoding=f16", "a", 1, 0, ONES)));
            assertThat(reply.get("outcome").asString()).isEqualTo("applied");
            assertThat(reply.get("awaitNext").asBoolean()).isTrue();

            service.refused(service.get(Routes.GET_PARAMETER + "?encoding=f16"), 503, ProblemKind.BUSY.rule());
            assertThat(RunningService.decoded(service.send(service.push("?pull=true", "a", 2, 1, ONES)))
                            .metadata())
                    .containsEntry("version", "2");
        }
    }

    @Test
    void shouldRefuseAGradientThatIsTooLong() {
        try (RunningService service = RunningService.start("ps.max-gradient-norm=2")
                .startingAt(0, 0, 0, 0, 0, 0)
                .withWorkers("a")) {
            JsonNode problem = service.refused(service.push("a", 1, 0, ONES), 422, ProblemKind.GRADIENT_NORM.rule());

            assertThat(problem.get("detail").asString())
                    .startsWith("the gradient of worker 'a' has the norm 2.449, the largest that is taken is 2.000");
            assertThat(service.send(service.push("a", 1, 0, 1, 0, 0, 0, 0, 0)).statusCode())
                    .as("its number is not used up")
                    .isEqualTo(200);
        }
    }

    @Test
    void shouldRegisterNoMoreWorkersThanItsSettingSays() {
        try (RunningService service = RunningService.start("ps.max-workers=2").withWorkers("a", "b")) {
            HttpRequest.Builder third = service.json(Routes.REGISTER_WORKER, "{\"id\":\"c\"}");

            assertThat(service.refused(third, 503, ProblemKind.BUSY.rule())
                            .get("detail")
                            .asString())
                    .startsWith("2 workers are registered, as many as ps.max-workers lets in");

            service.send(service.json(Routes.UNREGISTER_WORKER, "{\"id\":\"a\"}"));
            assertThat(service.send(third).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseAGradientWhileOthersOnTheirWayTakeAllThereIs() throws Exception {
        try (RunningService service = RunningService.start("ps.max-pending=40B", "ps.slow-client.grace-period=1h")
                .startingAt(0, 0, 0, 0, 0, 0)
                .withWorkers("a", "b")) {
            byte[] gradient = Tensors.gradient(Tensors.metadata("a", 1, service.generation(), 0), ONES);
            // A sender that stalls before its values: they are expected, and their memory is reserved.
            try (Socket slow = new Socket(
                    InetAddress.getLoopbackAddress(), service.uri("/").getPort())) {
                OutputStream out = slow.getOutputStream();
                out.write(
                        "POST /putGradient HTTP/1.1\r\nHost: a\r\nContent-Type: application/vnd.safetensors\r\nContent-Length: %d\r\n\r\n"
                                .formatted(gradient.length)
                                .getBytes(StandardCharsets.US_ASCII));
                out.write(gradient, 0, gradient.length - 1);
                out.flush();
                Awaitility.await().until(() -> gauge(service) > 0);

                HttpRequest.Builder push = service.push("b", 1, 0, ONES);
                JsonNode problem = service.refused(push, 503, ProblemKind.BUSY.rule());

                assertThat(problem.get("detail").asString())
                        .isEqualTo(
                                "gradients in the server take 24 bytes, and this one would take 24 more; allowed are 40");
                assertThat(service.send(push).headers().firstValue("Retry-After"))
                        .contains("1");
            }
            Awaitility.await().until(() -> gauge(service) == 0);
            assertThat(service.send(service.push("b", 1, 0, ONES)).statusCode()).isEqualTo(200);
            service.refused(service.push("b", 2, 1, Float.NaN, 1, 1, 1, 1, 1), 422, ProblemKind.NOT_FINITE.rule());
            service.refused(
                    service.tensors("POST", Routes.PUT_GRADIENT, new byte[40]), 400, ProblemKind.MALFORMED.rule());
            assertThat(gauge(service)).as("refused bodies hold nothing").isZero();
        }
    }

    private static double gauge(RunningService service) {
        return service.bean(MeterRegistry.class).get("ps.pending.bytes").gauge().value();
    }
}

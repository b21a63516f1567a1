package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The service before there is a parameter set, and the initial put. */
class InitialParameterContractTest {

    private static final RunningService EMPTY = RunningService.start("ps.max-body=2KB");

    @AfterAll
    static void stop() {
        EMPTY.close();
    }

    @Test
    void shouldAnswerThatThereIsNoParameterSetYet() {
        JsonNode pull = EMPTY.refused(EMPTY.get(Routes.GET_PARAMETER), 404, ProblemKind.NO_PARAMETERS.rule());
        assertThat(pull.get("detail").asString())
                .isEqualTo("the server has no parameter set yet: put one to /putParameter");
        EMPTY.refused(EMPTY.get(Routes.GET_PARAMETER + "?after=0&waitMs=30"), 404, ProblemKind.NO_PARAMETERS.rule());
        EMPTY.refused(EMPTY.push("a", 1, 0, 0, 0, 0, 0, 0, 0), 409, ProblemKind.NO_PARAMETERS.rule());

        JsonNode version = RunningService.body(EMPTY.send(EMPTY.get(Routes.GET_VERSION)));
        assertThat(version.get("initialized").asBoolean()).isFalse();
        assertThat(version.get("version").asLong()).isZero();
        assertThat(version.has("accuracy")).isFalse();
        JsonNode status = RunningService.body(EMPTY.send(EMPTY.get(Routes.STATUS)));
        assertThat(status.get("initialized").asBoolean()).isFalse();
        assertThat(status.get("tensors").asInt()).isZero();
        assertThat(status.has("loss")).isFalse();
    }

    @Test
    void shouldRefuseWhatIsNoParameterSet() {
        refused(Tensors.raw("{\"fc.bias\":", 0), 400, ProblemKind.MALFORMED.rule());
        refused(Tensors.zeros(Map.of()), 422, ProblemKind.LAYOUT_MISMATCH.rule());
        JsonNode type = refused(
                Tensors.zeros(Map.of(), TensorSpec.f32("a", 1), Tensors.spec("b", DType.F64, 1)),
                422,
                ProblemKind.LAYOUT_MISMATCH.rule());
        assertThat(type.get("detail").asString()).isEqualTo("tensor 'b' is of type F64, a parameter set has F32 only");
        assertThat(type.get("tensor").asString()).isEqualTo("b");
        JsonNode infinite =
                refused(Tensors.parameters(0, 0, 0, 0, 0, Float.NEGATIVE_INFINITY), 422, ProblemKind.NOT_FINITE.rule());
        assertThat(infinite.get("detail").asString()).isEqualTo("value 3 of 4 of tensor 'fc.weight' is -Infinity");
        assertThat(infinite.get("tensor").asString()).isEqualTo("fc.weight");
        assertThat(infinite.get("index").asInt()).isEqualTo(3);
    }

    @Test
    void shouldRefuseMoreThanIsAccepted() {
        JsonNode problem =
                refused(Tensors.zeros(Map.of(), TensorSpec.f32("large", 1000)), 413, ProblemKind.TOO_LARGE.rule());

        assertThat(problem.get("limitBytes").asLong()).isEqualTo(2048);
        assertThat(problem.get("bytes").asLong()).isGreaterThan(4000);
    }

    @Test
    void shouldRefuseASetThatNobodyCouldPull() {
        // Its own header is below the limit of 1 MiB; generation and version would push the served one above it.
        String filler = "x".repeat((1 << 20) - 200);
        try (RunningService service = RunningService.start()) {
            JsonNode problem = service.refused(
                    service.tensors(
                                    "PUT",
                                    Routes.PUT_PARAMETER,
                                    Tensors.zeros(Map.of("note", filler), TensorSpec.f32("w", 2)))
                            .header("If-None-Match", "*"),
                    422,
                    ProblemKind.LAYOUT_MISMATCH.rule());

            assertThat(problem.get("detail").asString()).endsWith("a reader accepts 1048576");
        }
    }

    @Test
    void shouldAnswerAWriteThatCannotBeBeforeItsBodyComes() throws IOException {
        try (Socket client =
                new Socket(InetAddress.getLoopbackAddress(), EMPTY.uri("/").getPort())) {
            client.getOutputStream()
                    .write(
                            "PUT /putParameter HTTP/1.1\r\nHost: a\r\nIf-Match: *\r\nContent-Type: application/vnd.safetensors\r\nContent-Length: 2000\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            client.setSoTimeout(60_000);

            assertThat(new String(client.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 412");
        }
    }

    @Test
    void shouldNotOverwriteWhatIsNotThere() {
        byte[] body = Tensors.parameters(0, 0, 0, 0, 0, 0);

        JsonNode problem = EMPTY.refused(
                EMPTY.tensors("PUT", Routes.PUT_PARAMETER, body).header("If-Match", "*"),
                412,
                ProblemKind.PRECONDITION_FAILED.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("the precondition does not hold: the newest parameter set is none");
        EMPTY.refused(EMPTY.tensors("PUT", Routes.PUT_PARAMETER, body), 428, ProblemKind.PRECONDITION_REQUIRED.rule());
    }

    @Test
    void shouldAnswerWaitingClientsWhenTheInitialParameterSetComes() {
        try (RunningService service = RunningService.start()) {
            HttpRequest.Builder wait = service.get(Routes.GET_PARAMETER + "?waitMs=60000");
            CompletableFuture<HttpResponse<byte[]>> waiting = CompletableFuture.supplyAsync(() -> service.send(wait));
            HttpResponse<byte[]> put = service.send(service.tensors(
                            "PUT",
                            Routes.PUT_PARAMETER,
                            // Sent in another order, with names of the server's own in the metadata.
                            Tensors.file(
                                    TensorLayout.inOrder(
                                            List.of(TensorSpec.f32("fc.weight", 2, 2), TensorSpec.f32("fc.bias", 2))),
                                    Map.of("network", "fc", "version", "77", "generation", "mine"),
                                    3,
                                    4,
                                    5,
                                    6,
                                    1,
                                    2))
                    .header("If-None-Match", "*"));

            String etag = "\"" + service.generation() + "-0\"";
            JsonNode reply = RunningService.body(put);
            assertThat(put.statusCode()).isEqualTo(201);
            assertThat(put.headers().firstValue("ETag")).contains(etag);
            assertThat(reply.get("version").asLong()).isZero();
            assertThat(reply.get("tensors").asInt()).isEqualTo(2);
            assertThat(reply.get("bytes").asLong()).isEqualTo(24);
            HttpResponse<byte[]> pulled = waiting.join();
            assertThat(pulled.statusCode()).isEqualTo(200);
            assertThat(pulled.headers().firstValue("ETag")).contains(etag);
            TensorSet tensors = RunningService.decoded(pulled);
            assertThat(tensors.layout()).isEqualTo(Tensors.LAYOUT);
            assertThat(tensors.toFloats(Tensors.LAYOUT)).containsExactly(1, 2, 3, 4, 5, 6);
            assertThat(tensors.metadata())
                    .containsEntry("network", "fc")
                    .containsEntry("generation", service.generation())
                    .containsEntry("version", "0");
        }
    }

    @Test
    void shouldLetOneOfManyBeTheFirst() {
        try (RunningService service = RunningService.start()) {
            List<CompletableFuture<Integer>> puts = List.of(1f, 2f, 3f, 4f).stream()
                    .map(value -> service.tensors(
                                    "PUT",
                                    Routes.PUT_PARAMETER,
                                    Tensors.parameters(value, value, value, value, value, value))
                            .header("If-None-Match", "*"))
                    .map(put -> CompletableFuture.supplyAsync(
                            () -> service.send(put).statusCode()))
                    .toList();

            assertThat(puts.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(201, 412, 412, 412);
            assertThat(service.version()).isZero();
        }
    }

    @Test
    void shouldRefuseAParameterSetWhoseRunDoesNotFit() {
        try (RunningService service = RunningService.start("ps.snapshot-memory=71B")) {
            HttpRequest.Builder put = service.tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(1, 2, 3, 4, 5, 6))
                    .header("If-None-Match", "*");

            assertThat(service.refused(put, 413, ProblemKind.TOO_LARGE.rule())
                            .get("detail")
                            .asString())
                    .isEqualTo(
                            "ps.snapshot-memory is 71 bytes, and three versions of 6 values take 72: write more, or leave it out");
        }
    }

    private static JsonNode refused(byte[] body, int status, String rule) {
        return EMPTY.refused(
                EMPTY.tensors("PUT", Routes.PUT_PARAMETER, body).header("If-None-Match", "*"), status, rule);
    }
}

package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Pushes that are refused; each leaves version and bytes unchanged, which {@link RunningService#refused} checks. */
class GradientProblemsContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};
    private static final RunningService SERVICE =
            RunningService.start().startingAt(1, 2, 3, 4, 5, 6).withWorkers("a");

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    /** A name for people, the body, and the rule of the format that it breaks. */
    record Malformed(String name, byte[] body, String rule) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Malformed> malformed() {
        byte[] whole = body(metadata(), ONES);
        byte[] random = new byte[4096];
        Arrays.fill(random, (byte) 0x9a);
        String two = "{\"fc.bias\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                + "\"fc.weight\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[%d,%d]}}";
        return Stream.of(
                new Malformed("nothing", new byte[0], "HEADER_TRUNCATED"),
                new Malformed("cut in the length", Arrays.copyOf(whole, 5), "HEADER_TRUNCATED"),
                new Malformed("cut in the header", Arrays.copyOf(whole, 40), "HEADER_TRUNCATED"),
                new Malformed("cut in the data", Arrays.copyOf(whole, whole.length - 1), "DATA_LENGTH_MISMATCH"),
                new Malformed("a byte too many", Arrays.copyOf(whole, whole.length + 1), "DATA_LENGTH_MISMATCH"),
                new Malformed("a hole", Tensors.raw(two.formatted(12, 28), 28), "NOT_CONTIGUOUS"),
                new Malformed("an overlap", Tensors.raw(two.formatted(4, 20), 20), "NOT_CONTIGUOUS"),
                new Malformed("a wrong size", Tensors.raw(two.formatted(8, 20), 20), "SIZE_MISMATCH"),
                new Malformed("another format", random, "HEADER_TOO_LARGE"),
                new Malformed("no JSON", Tensors.raw("{\"fc.bias\"", 0), "HEADER_NOT_JSON"),
                new Malformed("no object", Tensors.raw("[1]", 0), "HEADER_NOT_JSON"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void shouldRefuseWhatIsNotSafetensors(Malformed malformed) {
        JsonNode problem = SERVICE.refused(
                SERVICE.tensors("POST", Routes.PUT_GRADIENT, malformed.body()), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("safetensorsRule").asString()).isEqualTo(malformed.rule());
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "sequence", "generation", "baseVersion", "samples", "loss"})
    void shouldRefuseMetadataThatLacksAKey(String key) {
        Map<String, String> metadata = new HashMap<>(metadata());
        metadata.remove(key);

        JsonNode problem = refused(body(metadata, ONES), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString()).startsWith("the gradient's metadata lacks '%s'".formatted(key));
    }

    @ParameterizedTest
    @CsvSource({
        "sequence,0",
        "sequence,one",
        "sequence,99999999999999999999",
        "baseVersion,-1",
        "samples,0",
        "samples,1.5",
        "loss,NaN",
        "loss,-Infinity",
        "loss,low",
        "worker,''",
        "generation,''"
    })
    void shouldRefuseMetadataThatMakesNoSense(String key, String value) {
        Map<String, String> metadata = new HashMap<>(metadata());
        metadata.put(key, value);

        JsonNode problem = refused(body(metadata, ONES), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString())
                .startsWith("the gradient's metadata '%s' must be ".formatted(key))
                .endsWith("; it is '%s'".formatted(value));
    }

    @Test
    void shouldRefuseOtherTensors() {
        layoutMismatch(
                "fc.weight",
                "tensor 'fc.weight' of shape [2, 2] is missing; the parameter set has 2 tensors, this has 2",
                TensorSpec.f32("fc.bias", 2),
                TensorSpec.f32("fc.wait", 2, 2));
        layoutMismatch(
                "extra",
                "tensor 'extra' is not in the parameter set, which has 2 tensors",
                TensorSpec.f32("fc.bias", 2),
                TensorSpec.f32("fc.weight", 2, 2),
                TensorSpec.f32("extra", 1));
        layoutMismatch(
                "fc.weight",
                "tensor 'fc.weight' has shape [4, 1] (4 values), the parameter set has [2, 2] (4 values)",
                TensorSpec.f32("fc.bias", 2),
                TensorSpec.f32("fc.weight", 4, 1));
        layoutMismatch(
                "fc.bias",
                "tensor 'fc.bias' is of type F16, the parameter set has F32",
                Tensors.spec("fc.bias", DType.F16, 2),
                TensorSpec.f32("fc.weight", 2, 2));
        layoutMismatch(
                "fc.bias", "tensor 'fc.bias' of shape [2] is missing; the parameter set has 2 tensors, this has 0");
    }

    @ParameterizedTest
    @CsvSource({
        "1,fc.bias,1,NaN",
        "2,fc.weight,0,Infinity",
        "5,fc.weight,3,-Infinity",
        "3,fc.weight,1,2e37",
        "4,fc.weight,2,-4294967296"
    })
    void shouldNameTheValueThatIsNotFiniteOrTooLarge(int at, String tensor, int index, float value) {
        float[] values = ONES.clone();
        values[at] = value;

        JsonNode problem = refused(body(metadata(), values), 422, ProblemKind.NOT_FINITE.rule());

        assertThat(problem.get("tensor").asString()).isEqualTo(tensor);
        assertThat(problem.get("index").asInt()).isEqualTo(index);
        assertThat(problem.get("detail").asString())
                .isEqualTo("value %d of %d of tensor '%s' is %s%s"
                        .formatted(
                                index,
                                at < 2 ? 2 : 4,
                                tensor,
                                value,
                                Float.isFinite(value)
                                        ? "; values must be smaller than 4294967296 in size, or sums of them overflow"
                                        : ""));
    }

    @Test
    void shouldRefuseABodyLargerThanAnyGradient() {
        long limit = Tensors.LAYOUT.byteLength() + (1 << 20);

        JsonNode problem = refused(new byte[(int) limit + 1], 413, ProblemKind.TOO_LARGE.rule());

        assertThat(problem.get("limitBytes").asLong()).isEqualTo(limit);
        assertThat(problem.get("bytes").asLong()).isEqualTo(limit + 1);
    }

    /** A gradient of a much larger model: its sender must get the response, and not a broken pipe. */
    @Test
    void shouldLetAClientThatIsStillSendingSeeWhyItIsRefused() {
        int bytes = 48 << 20;

        assertThat(refused(new byte[bytes], 413, ProblemKind.TOO_LARGE.rule())
                        .get("bytes")
                        .asLong())
                .isEqualTo(bytes);
    }

    @Test
    void shouldRefuseABodyWithoutLength() {
        byte[] body = body(metadata(), ONES);

        SERVICE.refused(
                SERVICE.tensors("POST", Routes.PUT_GRADIENT, body)
                        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))),
                411,
                ProblemKind.LENGTH_REQUIRED.rule());
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/octet-stream", "application/json", "application/x-www-form-urlencoded"})
    void shouldRefuseAnotherMediaType(String type) {
        SERVICE.refused(
                SERVICE.tensors("POST", Routes.PUT_GRADIENT, body(metadata(), ONES))
                        .setHeader("Content-Type", type),
                415,
                ProblemKind.UNSUPPORTED_MEDIA_TYPE.rule());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "yes", "TRUE"})
    void shouldRefuseAPullThatIsNeitherTrueNorFalse(String pull) {
        JsonNode problem = SERVICE.refused(
                SERVICE.push("?pull=" + pull, "a", 1, 0, ONES), 400, ProblemKind.INVALID_PARAMETER.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("the parameter 'pull' must be true or false; it is '%s'".formatted(pull));
    }

    @Test
    void shouldRefuseAnotherGeneration() {
        JsonNode problem =
                refused(body(Tensors.metadata("a", 1, "other", 0), ONES), 409, ProblemKind.OTHER_GENERATION.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("the gradient is of generation 'other', the server's is '%s': pull and go on"
                        .formatted(SERVICE.generation()));
    }

    @Test
    void shouldRefuseAVersionThatDoesNotExistYet() {
        SERVICE.refused(SERVICE.push("a", 1, 1000, ONES), 409, ProblemKind.FUTURE_VERSION.rule());
        SERVICE.refused(SERVICE.push("a", 1, Long.MAX_VALUE, ONES), 409, ProblemKind.FUTURE_VERSION.rule());
    }

    @Test
    void shouldRefuseAWorkerThatIsNotRegistered() {
        SERVICE.refused(SERVICE.push("?pull=true", "nobody", 1, 0, ONES), 409, ProblemKind.UNKNOWN_WORKER.rule());
    }

    @Test
    void shouldRefuseASequenceNumberThatIsForgotten() {
        SERVICE.withWorkers("busy");
        for (int sequence = 1; sequence <= 65; sequence++) {
            SERVICE.send(SERVICE.push("busy", sequence, 0, 0, 0, 0, 0, 0, 0));
        }

        SERVICE.refused(SERVICE.push("busy", 1, 0, ONES), 409, ProblemKind.SEQUENCE_TOO_OLD.rule());
    }

    private static void layoutMismatch(String tensor, String detail, TensorSpec... specs) {
        JsonNode problem = refused(Tensors.zeros(metadata(), specs), 422, ProblemKind.LAYOUT_MISMATCH.rule());

        assertThat(problem.get("tensor").asString()).isEqualTo(tensor);
        assertThat(problem.get("detail").asString()).isEqualTo(detail);
    }

    private static JsonNode refused(byte[] body, int status, String rule) {
        return SERVICE.refused(SERVICE.tensors("POST", Routes.PUT_GRADIENT, body), status, rule);
    }

    private static Map<String, String> metadata() {
        return Tensors.metadata("a", 1, SERVICE.generation(), 0);
    }

    private static byte[] body(Map<String, String> metadata, float... values) {
        return Tensors.gradient(metadata, values);
    }
}

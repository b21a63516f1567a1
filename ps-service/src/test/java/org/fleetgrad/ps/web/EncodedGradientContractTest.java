package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Gradients in other encodings than float32. */
class EncodedGradientContractTest {

    private static final RunningService SERVICE = RunningService.start("ps.learning-rate=1")
            .startingAt(1, 2, 3, 4, 5, 6)
            .withWorkers("a", "b", "c");

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    @Test
    void shouldListWhatItTakesAndGives() {
        JsonNode granted = RunningService.body(SERVICE.send(SERVICE.json(Routes.REGISTER_WORKER, "{}")));

        assertThat(granted.get("gradientEncodings").toString())
                .isEqualTo("[\"f32\",\"f16\",\"bf16\",\"i8\",\"topk\",\"2bit\",\"rows\"]");
        assertThat(granted.get("parameterEncodings").toString()).isEqualTo("[\"f32\",\"f16\",\"bf16\",\"i8\"]");
    }

    @ParameterizedTest
    @CsvSource({
        "f32, 0.5, -1, 2, 0.25, 4, -0.125",
        "f16, 0.5, -1, 2, 0.25, 4, -0.125",
        "bf16, 0.5, -1, 2, 0.25, 4, -0.125",
        "i8, 64, -127, 1, 2, 4, 127",
        "i8:16, 64, -127, 1, 2, 4, 127",
        "topk:0.5, 0, -1, 2, 0, 4, 0",
        "topk:1, 0.5, -1, 2, 0.25, 4, -0.125",
        "2bit:0.5, 0.5, -0.5, 0, 0, 0.5, 0",
        "rows, 0.5, -1, 2, 0.25, 4, -0.125",
        "rows, 0.5, -1, 2, 0.25, 0, 0",
        "rows, 0, 0, 0, 0, 0, 0"
    })
    void shouldApplyWhatTheEncodingCarries(String text, float a, float b, float c, float d, float e, float f) {
        float[] gradient = {a, b, c, d, e, f};
        float[] before = SERVICE.values();
        long version = SERVICE.version();
        String worker = version % 2 == 0 ? "b" : "c";

        HttpResponse<byte[]> answer = SERVICE.send(encoded(text, worker, version + 1, version, gradient));

        assertThat(RunningService.body(answer).get("outcome").asString()).isEqualTo("applied");
        float[] after = SERVICE.values();
        for (int i = 0; i < gradient.length; i++) {
            assertThat(after[i]).isEqualTo(before[i] - gradient[i]);
        }
    }

    @Test
    void shouldCountTheBytesThatTravelled() {
        long version = SERVICE.version();
        HttpResponse<byte[]> unused =
                SERVICE.send(encoded("topk:0.01", "b", version + 1, version, new float[] {1, 0, 0, 0, 0, 1}));

        assertThat(new String(SERVICE.send(SERVICE.get("/actuator/prometheus")).body(), StandardCharsets.UTF_8))
                .contains("ps_gradient_bytes_total{encoding=\"topk\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zip", "F16", "topk2:1", ""})
    void shouldRefuseAnEncodingThatItDoesNotKnow(String text) {
        JsonNode problem = SERVICE.refused(
                SERVICE.tensors("POST", Routes.PUT_GRADIENT, Tensors.gradient(metadata(text), 1, 1, 1, 1, 1, 1)),
                415,
                ProblemKind.UNSUPPORTED_ENCODING.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("gradients come as f32, f16, bf16, i8, topk, 2bit, rows; this one as '%s'".formatted(text));
        assertThat(problem.get("accepted").size()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"topk:2", "topk:x", "2bit:0", "i8:1", "f16:1", "rows:1"})
    void shouldRefuseAParameterThatIsNone(String text) {
        JsonNode problem = SERVICE.refused(
                SERVICE.tensors("POST", Routes.PUT_GRADIENT, Tensors.gradient(metadata(text), 1, 1, 1, 1, 1, 1)),
                422,
                ProblemKind.INVALID_ENCODING.rule());

        assertThat(problem.get("encoding").asString()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "f16 | fc.bias | tensor 'fc.bias' is of type F32, the parameter set encoded as f16 has F16",
                "i8 | fc.bias:scale | tensor 'fc.bias:scale' of shape [1] is missing; the parameter set encoded as i8:256 has 4 tensors, this has 2",
                "topk:0.5 | fc.bias:index | tensor 'fc.bias:index' of shape [1] is missing; the parameter set encoded as topk:0.5 has 4 tensors, this has 2",
                "2bit | fc.bias:codes | tensor 'fc.bias:codes' of shape [1] is missing; the parameter set encoded as 2bit:0.01 has 2 tensors, this has 2"
            })
    void shouldRefuseTensorsOfAnotherEncoding(String text, String tensor, String detail) {
        JsonNode problem = SERVICE.refused(
                SERVICE.tensors("POST", Routes.PUT_GRADIENT, Tensors.gradient(metadata(text), 1, 1, 1, 1, 1, 1)),
                422,
                ProblemKind.LAYOUT_MISMATCH.rule());

        assertThat(problem.get("tensor").asString()).isEqualTo(tensor);
        assertThat(problem.get("detail").asString()).isEqualTo(detail);
    }

    @Test
    void shouldRefuseAnotherNumberOfValuesThanTheRatioStates() {
        JsonNode problem = SERVICE.refused(
                push(Tensors.zeros(
                        metadata("topk:0.5"),
                        Tensors.spec("fc.bias:index", DType.I32, 1),
                        Tensors.spec("fc.bias:value", DType.F32, 1),
                        Tensors.spec("fc.weight:index", DType.I32, 3),
                        Tensors.spec("fc.weight:value", DType.F32, 3))),
                422,
                ProblemKind.LAYOUT_MISMATCH.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo(
                        "tensor 'fc.weight:index' has shape [3] (3 values), the parameter set encoded as topk:0.5 has"
                                + " [2] (2 values)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 1 | 1 1 | invalid-encoding | index 1 of tensor 'fc.weight' is 1, not above the one before it, which is 3",
                "1 1 | 1 1 | invalid-encoding | index 1 of tensor 'fc.weight' is 1, not above the one before it, which is 1",
                "0 4 | 1 1 | invalid-encoding | index 1 of tensor 'fc.weight' is 4, not from 0 to 3",
                "-1 3 | 1 1 | invalid-encoding | index 0 of tensor 'fc.weight' is -1, not from 0 to 3",
                "0 3 | 1 NaN | not-finite | value 3 of 4 of tensor 'fc.weight' is NaN",
                "0 3 | 1 -2e37 | not-finite | value 3 of 4 of tensor 'fc.weight' is -2.0E37; values must be smaller than 4294967296 in size, or sums of them overflow"
            })
    void shouldRefuseLyingIndicesAndValues(String indices, String values, String rule, String detail) {
        byte[] body = Tensors.zeros(
                metadata("topk:0.5"),
                Tensors.spec("fc.bias:index", DType.I32, 1),
                Tensors.spec("fc.bias:value", DType.F32, 1),
                Tensors.spec("fc.weight:index", DType.I32, 2),
                Tensors.spec("fc.weight:value", DType.F32, 2));
        ByteBuffer data = tail(body, 16);
        for (String index : indices.split(" ")) {
            data.putInt(Integer.parseInt(index));
        }
        for (String value : values.split(" ")) {
            data.putFloat(Float.parseFloat(value));
        }

        JsonNode problem = SERVICE.refused(push(body), 422, rule);

        assertThat(problem.get("detail").asString()).isEqualTo(detail);
        assertThat(problem.get("tensor").asString()).startsWith("fc.weight");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NaN | invalid-encoding | scale 0 of 1 of tensor 'fc.weight' is NaN; a scale is a finite number from 0 on",
                "-Infinity | invalid-encoding | scale 0 of 1 of tensor 'fc.weight' is -Infinity; a scale is a finite number from 0 on",
                "3e38 | not-finite | value 3 of 4 of tensor 'fc.weight' is Infinity"
            })
    void shouldRefuseLyingScales(float scale, String rule, String detail) {
        byte[] body = Tensors.zeros(
                metadata("i8"),
                Tensors.spec("fc.bias", DType.I8, 2),
                Tensors.spec("fc.bias:scale", DType.F32, 1),
                Tensors.spec("fc.weight:scale", DType.F32, 1),
                Tensors.spec("fc.weight", DType.I8, 2, 2));
        tail(body, 8).putFloat(scale).put(new byte[] {0, 0, 0, 2});

        JsonNode problem = SERVICE.refused(push(body), 422, rule);

        assertThat(problem.get("detail").asString()).isEqualTo(detail);
    }

    @ParameterizedTest
    @ValueSource(strings = {"F16 7c00 Infinity", "F16 7e01 NaN", "BF16 ff80 -Infinity"})
    void shouldRefuseHalvesThatAreNotFinite(String given) {
        String[] parts = given.split(" ");
        DType dtype = DType.valueOf(parts[0]);
        byte[] body = Tensors.zeros(
                metadata(parts[0].toLowerCase(Locale.ROOT)),
                Tensors.spec("fc.bias", dtype, 2),
                Tensors.spec("fc.weight", dtype, 2, 2));
        tail(body, 2).putShort((short) Integer.parseInt(parts[1], 16));

        assertThat(SERVICE.refused(push(body), 422, ProblemKind.NOT_FINITE.rule())
                        .get("detail")
                        .asString())
                .isEqualTo("value 3 of 4 of tensor 'fc.weight' is " + parts[2]);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 0 | 1 1 1 1 | invalid-encoding | row number 1 of tensor 'fc.weight' is 0, not above the one before it, which is 1",
                "0 2 | 1 1 1 1 | invalid-encoding | row number 1 of tensor 'fc.weight' is 2, not from 0 to 1",
                "0 1 | 1 1 1 NaN | not-finite | value 3 of 4 of tensor 'fc.weight' is NaN",
                "0 1 | 1 1 -Infinity 1 | not-finite | value 2 of 4 of tensor 'fc.weight' is -Infinity"
            })
    void shouldRefuseLyingRows(String rows, String values, String rule, String detail) {
        byte[] body = Tensors.zeros(
                metadata("rows"),
                Tensors.spec("fc.bias", DType.F32, 2),
                Tensors.spec("fc.weight:row", DType.I32, 2),
                Tensors.spec("fc.weight:value", DType.F32, 2, 2));
        ByteBuffer data = tail(body, 24);
        for (String row : rows.split(" ")) {
            data.putInt(Integer.parseInt(row));
        }
        for (String value : values.split(" ")) {
            data.putFloat(Float.parseFloat(value));
        }

        JsonNode problem = SERVICE.refused(push(body), 422, rule);

        assertThat(problem.get("detail").asString()).isEqualTo(detail);
        assertThat(problem.get("tensor").asString()).startsWith("fc.weight");
    }

    @Test
    void shouldRefuseMoreRowsThanTheMatrixHas() {
        JsonNode problem = SERVICE.refused(
                push(Tensors.zeros(
                        metadata("rows"),
                        Tensors.spec("fc.bias", DType.F32, 2),
                        Tensors.spec("fc.weight:row", DType.I32, 3),
                        Tensors.spec("fc.weight:value", DType.F32, 3, 2))),
                422,
                ProblemKind.LAYOUT_MISMATCH.rule());

        assertThat(problem.get("tensor").asString()).isEqualTo("fc.weight:row");
    }

    @Test
    void shouldRefuseACodeThatMeansNothing() {
        byte[] body = Tensors.zeros(
                metadata("2bit"),
                new TensorSpec("fc.bias:codes", DType.U8, List.of(1L)),
                new TensorSpec("fc.weight:codes", DType.U8, List.of(1L)));
        tail(body, 1).put((byte) 0b01000000);

        assertThat(SERVICE.refused(push(body), 422, ProblemKind.INVALID_ENCODING.rule())
                        .get("tensor")
                        .asString())
                .isEqualTo("fc.weight:codes");
    }

    private static ByteBuffer tail(byte[] body, int bytes) {
        return ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).position(body.length - bytes);
    }

    private static HttpRequest.Builder push(byte[] body) {
        return SERVICE.tensors("POST", Routes.PUT_GRADIENT, body);
    }

    private static Map<String, String> metadata(String encoding) {
        return metadata(encoding, "a", 1, 0);
    }

    private static Map<String, String> metadata(String encoding, String worker, long sequence, long base) {
        Map<String, String> metadata = new TreeMap<>(Tensors.metadata(worker, sequence, SERVICE.generation(), base));
        metadata.put("encoding", encoding);
        return metadata;
    }

    private static HttpRequest.Builder encoded(String text, String worker, long sequence, long base, float[] gradient) {
        Encoding encoding = Encodings.parse(text);
        return push(Tensors.encoded(encoding, metadata(text, worker, sequence, base), gradient));
    }
}

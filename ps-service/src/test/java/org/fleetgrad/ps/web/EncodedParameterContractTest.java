package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Map;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Parameters in other encodings than float32. */
class EncodedParameterContractTest {

    private static final RunningService SERVICE =
            RunningService.start().startingAt(1, 2, 3, -127, 5, 127).withWorkers("a");

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"f16", "bf16", "i8"})
    void shouldServeTheNewestParameterSetEncoded(String name) throws EncodingException {
        HttpResponse<byte[]> answer = SERVICE.send(SERVICE.get(Routes.GET_PARAMETER + "?encoding=" + name));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("ETag")).contains(etag(name));
        assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue(answer.body().length);
        ParameterEncoding encoding = Encodings.parseOfParameters(name);
        assertThat(RunningService.decoded(answer).metadata())
                .containsEntry("encoding", encoding.text())
                .containsEntry("network", "fc")
                .containsEntry("version", Long.toString(SERVICE.version()));
        assertValues(answer, encoding);
    }

    @Test
    void shouldServeFloat32IfNothingElseIsAsked() {
        HttpResponse<byte[]> asked = SERVICE.send(SERVICE.get(Routes.GET_PARAMETER + "?encoding=f32"));

        assertThat(asked.body())
                .isEqualTo(SERVICE.send(SERVICE.get(Routes.GET_PARAMETER)).body());
        assertThat(asked.headers().firstValue("ETag"))
                .contains("\"%s-%d\"".formatted(SERVICE.generation(), SERVICE.version()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"f16", "bf16", "i8"})
    void shouldKnowWhichBytesTheClientHas(String name) {
        String path = Routes.GET_PARAMETER + "?encoding=" + name;

        HttpResponse<byte[]> same = SERVICE.send(SERVICE.get(path).header("If-None-Match", etag(name)));
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.headers().firstValue("ETag")).contains(etag(name));
        String plain = "\"%s-%d\"".formatted(SERVICE.generation(), SERVICE.version());
        assertThat(SERVICE.send(SERVICE.get(path).header("If-None-Match", plain))
                        .statusCode())
                .as("the same version, but other bytes")
                .isEqualTo(200);
        assertThat(SERVICE.send(SERVICE.get(path + "&after=" + SERVICE.version() + "&waitMs=1"))
                        .statusCode())
                .isEqualTo(304);
    }

    @Test
    void shouldAnswerAPushEncodedAndAgainAsTheFirst() throws EncodingException {
        long version = SERVICE.version();
        float[] gradient = {0, 0, 0, 0, 0, 0};

        for (String outcome : new String[] {"applied", "duplicate"}) {
            HttpResponse<byte[]> answer =
                    SERVICE.send(SERVICE.push("?pull=true&encoding=i8", "a", version + 1, version, gradient));

            assertThat(answer.headers().firstValue("X-Outcome")).contains(outcome);
            assertThat(answer.headers().firstValue("ETag")).contains(etag("i8"));
            assertValues(answer, Encodings.parseOfParameters("i8"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"topk", "F16", "i8:256", "", "zip"})
    void shouldRefuseWhatParametersDoNotTravelAs(String name) {
        for (String path : new String[] {Routes.GET_PARAMETER + "?encoding=", Routes.PUT_GRADIENT + "?encoding="}) {
            JsonNode problem = SERVICE.refused(
                    path.startsWith(Routes.GET_PARAMETER)
                            ? SERVICE.get(path + name)
                            : SERVICE.push("?pull=true&encoding=" + name, "a", 1_000, 0, 1, 1, 1, 1, 1, 1),
                    400,
                    ProblemKind.INVALID_PARAMETER.rule());

            assertThat(problem.get("detail").asString())
                    .isEqualTo(
                            "the parameter 'encoding' must be one of f32, f16, bf16, i8; it is '%s'".formatted(name));
        }
    }

    private static void assertValues(HttpResponse<byte[]> answer, ParameterEncoding encoding) throws EncodingException {
        float[] values = new float[6];
        encoding.decode(Tensors.LAYOUT, RunningService.decoded(answer), values);
        assertThat(values[1]).isEqualTo(2);
        assertThat(values).containsExactly(encodedAndBack(encoding));
    }

    private static float[] encodedAndBack(ParameterEncoding encoding) throws EncodingException {
        float[] values = new float[6];
        byte[] file = Tensors.encoded(encoding, Map.of(), SERVICE.values());
        try {
            encoding.decode(Tensors.LAYOUT, Safetensors.decode(ByteBuffer.wrap(file)), values);
        } catch (SafetensorsException malformed) {
            throw new AssertionError(malformed);
        }
        return values;
    }

    private static String etag(String name) {
        return "\"%s-%d-%s\"".formatted(SERVICE.generation(), SERVICE.version(), name);
    }
}

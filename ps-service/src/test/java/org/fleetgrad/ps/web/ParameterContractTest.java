package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Pulls and overwrites of an existing parameter set. */
class ParameterContractTest {

    private static final byte[] ZEROS = Tensors.parameters(0, 0, 0, 0, 0, 0);
    private static final RunningService SERVICE =
            RunningService.start().startingAt(1, 2, 3, 4, 5, 6).withWorkers("a");

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    @Test
    void shouldServeTheNewestParameterSet() {
        HttpResponse<byte[]> answer = SERVICE.send(SERVICE.get(Routes.GET_PARAMETER));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains(HeaderNames.SAFETENSORS);
        assertThat(answer.headers().firstValue("ETag")).contains(etag());
        assertThat(answer.headers().firstValue("X-Generation")).contains(SERVICE.generation());
        assertThat(answer.headers().firstValueAsLong("X-Version")).hasValue(SERVICE.version());
        assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue(answer.body().length);
        assertThat(RunningService.decoded(answer).metadata())
                .containsEntry("network", "fc")
                .containsEntry("format", "pt");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "W/%s", "\"other-1\", %s", "*"})
    void shouldNotSendWhatTheClientHas(String ifNoneMatch) {
        HttpResponse<byte[]> answer =
                SERVICE.send(SERVICE.get(Routes.GET_PARAMETER).header("If-None-Match", ifNoneMatch.formatted(etag())));

        assertThat(answer.statusCode()).isEqualTo(304);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("ETag")).contains(etag());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "after|-1",
                "after|x",
                "after|1.5",
                "after|9223372036854775808",
                "waitMs|-1",
                "waitMs|60001",
                "waitMs|%FF",
                "waitMs|"
            })
    void shouldRefuseParametersThatMakeNoSense(String name, String value) {
        String given = value == null ? "" : value;

        JsonNode problem = SERVICE.refused(
                SERVICE.get(Routes.GET_PARAMETER + "?" + name + "=" + given),
                400,
                ProblemKind.INVALID_PARAMETER.rule());

        assertThat(problem.get("parameter").asString()).isEqualTo(name);
        assertThat(problem.get("detail").asString())
                .startsWith("the parameter '%s' must be a whole number from 0 to ".formatted(name))
                .endsWith("; it is '%s'".formatted(given.equals("%FF") ? "\ufffd" : given));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/vnd.safetensors", "application/*;q=0.5", "text/html, */*;q=0.1"})
    void shouldServeAClientThatAcceptsIt(String accept) {
        assertThat(SERVICE.send(SERVICE.get(Routes.GET_PARAMETER).header("Accept", accept))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldRefuseAClientThatAcceptsNothingOfIt() {
        JsonNode problem = SERVICE.refused(
                SERVICE.get(Routes.GET_PARAMETER).header("Accept", "application/json"),
                406,
                ProblemKind.NOT_ACCEPTABLE.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("parameters come as application/vnd.safetensors; the client accepts 'application/json'");
    }

    @Test
    void shouldOverwriteWhatTheClientNames() {
        long before = SERVICE.version();

        HttpResponse<byte[]> named =
                SERVICE.send(SERVICE.tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(7, 7, 7, 7, 7, 7))
                        .header("If-Match", etag()));
        assertThat(named.statusCode()).isEqualTo(200);
        assertThat(named.headers().firstValue("ETag")).contains(etag());
        assertThat(RunningService.body(named).get("version").asLong()).isEqualTo(before + 1);
        assertThat(SERVICE.values()).containsOnly(7);

        // DJL's name for the format, with a parameter.
        HttpResponse<byte[]> any =
                SERVICE.send(SERVICE.tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(8, 8, 8, 8, 8, 8))
                        .setHeader("Content-Type", "tensor/safetensors; v=1")
                        .header("If-Match", "*"));
        assertThat(any.statusCode()).isEqualTo(200);
        assertThat(SERVICE.version()).isEqualTo(before + 2);
        assertThat(SERVICE.values()).containsOnly(8);
    }

    @Test
    void shouldRefuseAnOverwriteOfWhatIsNoLongerThere() {
        JsonNode stale = SERVICE.refused(
                SERVICE.tensors("PUT", Routes.PUT_PARAMETER, ZEROS).header("If-Match", "\"other-0\""),
                412,
                ProblemKind.PRECONDITION_FAILED.rule());
        assertThat(stale.get("detail").asString())
                .isEqualTo("the precondition does not hold: the newest parameter set is " + etag());
        SERVICE.refused(
                SERVICE.tensors("PUT", Routes.PUT_PARAMETER, ZEROS).header("If-None-Match", "*"),
                412,
                ProblemKind.PRECONDITION_FAILED.rule());
    }

    @Test
    void shouldRefuseAWriteWithoutOnePrecondition() {
        JsonNode none = SERVICE.refused(
                SERVICE.tensors("PUT", Routes.PUT_PARAMETER, ZEROS), 428, ProblemKind.PRECONDITION_REQUIRED.rule());
        assertThat(none.get("detail").asString())
                .isEqualTo("send 'If-None-Match: *' with an initial parameter set, or 'If-Match' with the entity tag"
                        + " to overwrite");
        SERVICE.refused(
                SERVICE.tensors("PUT", Routes.PUT_PARAMETER, ZEROS).header("If-None-Match", etag()),
                428,
                ProblemKind.PRECONDITION_REQUIRED.rule());
        SERVICE.refused(
                SERVICE.tensors("PUT", Routes.PUT_PARAMETER, ZEROS)
                        .header("If-None-Match", "*")
                        .header("If-Match", "*"),
                428,
                ProblemKind.PRECONDITION_REQUIRED.rule());
    }

    @Test
    void shouldRefuseAnotherLayout() {
        JsonNode problem = SERVICE.refused(
                SERVICE.tensors(
                                "PUT",
                                Routes.PUT_PARAMETER,
                                Tensors.zeros(Map.of(), TensorSpec.f32("fc.bias", 2), TensorSpec.f32("fc.weight", 4)))
                        .header("If-Match", "*"),
                422,
                ProblemKind.LAYOUT_MISMATCH.rule());

        assertThat(problem.get("tensor").asString()).isEqualTo("fc.weight");
        assertThat(problem.get("detail").asString())
                .isEqualTo("tensor 'fc.weight' has shape [4] (4 values), the parameter set has [2, 2] (4 values)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/octet-stream", "application/json", "application/vnd.safetensors2"})
    void shouldRefuseAnotherMediaType(String type) {
        JsonNode problem = SERVICE.refused(
                SERVICE.tensors("PUT", Routes.PUT_PARAMETER, ZEROS)
                        .setHeader("Content-Type", type)
                        .header("If-Match", "*"),
                415,
                ProblemKind.UNSUPPORTED_MEDIA_TYPE.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("tensors come as application/vnd.safetensors; the request says '%s'".formatted(type));
    }

    @Test
    void shouldRefuseABodyWithoutLength() {
        SERVICE.refused(
                SERVICE.tensors("PUT", Routes.PUT_PARAMETER, ZEROS)
                        .header("If-Match", "*")
                        .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(ZEROS))),
                411,
                ProblemKind.LENGTH_REQUIRED.rule());
    }

    private static String etag() {
        return "\"%s-%d\"".formatted(SERVICE.generation(), SERVICE.version());
    }
}

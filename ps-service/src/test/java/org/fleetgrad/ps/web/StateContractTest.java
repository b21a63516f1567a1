package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A parameter set with state. */
class StateContractTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(
            TensorSpec.f32("bn.running_mean", 2), TensorSpec.f32("bn.weight", 2), TensorSpec.f32("fc.weight", 2)));
    private static final Map<String, String> METADATA =
            Map.of("network", "fc", ParameterState.KEY, "0.5 bn.running_mean");

    private final RunningService service = RunningService.start("ps.learning-rate=0.5");

    @AfterEach
    void stop() {
        service.close();
    }

    private void put(Map<String, String> metadata) {
        assertThat(sent(metadata).statusCode()).isEqualTo(201);
    }

    private HttpResponse<byte[]> sent(Map<String, String> metadata) {
        return service.send(
                service.tensors("PUT", Routes.PUT_PARAMETER, Tensors.file(LAYOUT, metadata, 1, 2, 3, 4, 5, 6))
                        .header("If-None-Match", "*"));
    }

    private HttpResponse<byte[]> push(Map<String, String> more, TensorLayout layout, float... values) {
        Map<String, String> metadata = new TreeMap<>(Tensors.metadata("a", 1, service.generation(), 0));
        metadata.putAll(more);
        return service.send(service.tensors("POST", Routes.PUT_GRADIENT, Tensors.file(layout, metadata, values)));
    }

    @Test
    void shouldMoveTheStateAndServeItExactlyInEveryEncoding() {
        put(METADATA);
        service.withWorkers("a");
        assertThat(push(Map.of("batches", "1"), LAYOUT, 3.3f, 4.4f, 2, 2, 2, 2).statusCode())
                .isEqualTo(200);
        HttpResponse<byte[]> plain = service.send(service.get(Routes.GET_PARAMETER));
        assertThat(RunningService.decoded(plain).toFloats(LAYOUT))
                .containsExactly(0.5f + 0.5f * 3.3f, 1 + 0.5f * 4.4f, 2, 3, 4, 5);
        HttpResponse<byte[]> encoded = service.send(service.get(Routes.GET_PARAMETER + "?encoding=i8"));
        assertThat(RunningService.decoded(encoded)
                        .bytes("bn.running_mean")
                        .orElseThrow()
                        .getFloat())
                .isEqualTo(0.5f + 0.5f * 3.3f);
        assertThat(RunningService.decoded(encoded).metadata()).containsEntry(ParameterState.KEY, "0.5 bn.running_mean");
    }

    @Test
    void shouldTellAWorkerWhichNetworkTheSetNames() {
        put(METADATA);
        HttpResponse<byte[]> reply = service.send(service.json(Routes.REGISTER_WORKER, "{}"));
        assertThat(RunningService.body(reply).get("network").asString()).isEqualTo("fc");
    }

    @Test
    void shouldRefuseAGradientThatDoesNotSayOverHowManyBatchesItObserved() {
        put(METADATA);
        service.withWorkers("a");
        assertThat(detail(push(Map.of(), LAYOUT, 1, 2, 3, 4, 5, 6), 400))
                .isEqualTo(
                        "the gradient's metadata lacks 'batches': the parameter set has 1 tensors of state, such as 'bn.running_mean', and the server must know how many batches were observed for them");
        assertThat(detail(push(Map.of("batches", "9223372036854775807"), LAYOUT, 1, 2, 3, 4, 5, 6), 400))
                .contains("'batches' must be from 1 to the 4 samples; it is '9223372036854775807'");
    }

    @Test
    void shouldNameTheTensorOfStateThatAGradientLacks() {
        put(METADATA);
        service.withWorkers("a");
        TensorLayout without =
                TensorLayout.canonical(List.of(TensorSpec.f32("bn.weight", 2), TensorSpec.f32("fc.weight", 2)));
        HttpResponse<byte[]> answer = push(Map.of("batches", "1"), without, 1, 2, 3, 4);
        assertThat(detail(answer, 422)).startsWith("tensor 'bn.running_mean' of shape [2] is missing");
    }

    @Test
    void shouldRefuseStateThatIsNotFinite() {
        put(METADATA);
        service.withWorkers("a");
        HttpResponse<byte[]> answer = push(Map.of("batches", "1"), LAYOUT, 1, Float.NaN, 1, 1, 1, 1);
        assertThat(detail(answer, 422)).isEqualTo("value 1 of 2 of tensor 'bn.running_mean' is NaN");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0.5 bn.running_var | names the tensor 'bn.running_var', which is not among the 3",
                "7 bn.running_mean | above 0 and at most 1; it is 7.0",
                "bn.running_mean | must be like '0.1 bn1.running_mean'"
            })
    void shouldRefuseAParameterSetWhoseStateMakesNoSense(String state, String reason) {
        assertThat(detail(sent(Map.of(ParameterState.KEY, state)), 422)).contains(reason);
    }

    @Test
    void shouldRefuseANetworkThatEveryRegistrationWouldRepeatAtLength() {
        HttpResponse<byte[]> longer = sent(Map.of("network", "n".repeat(900_000)));
        assertThat(detail(longer, 422)).isEqualTo("the metadata 'network' has 900000 characters; it may have 16384");
        put(Map.of("network", "n".repeat(16_384)));
    }

    @Test
    void shouldKeepTheStateFloat32InAGradientToo() {
        put(METADATA);
        service.withWorkers("a");
        Map<String, String> metadata = new TreeMap<>(Tensors.metadata("a", 1, service.generation(), 0));
        metadata.putAll(Map.of("batches", "1", "encoding", "bf16"));
        byte[] all = Tensors.zeros(
                metadata,
                Tensors.spec("bn.running_mean", DType.BF16, 2),
                Tensors.spec("bn.weight", DType.BF16, 2),
                Tensors.spec("fc.weight", DType.BF16, 2));
        assertThat(detail(service.send(service.tensors("POST", Routes.PUT_GRADIENT, all)), 422))
                .isEqualTo("tensor 'bn.running_mean' is of type BF16, the parameter set encoded as bf16 has F32");
    }

    private static String detail(HttpResponse<byte[]> answer, int status) {
        assertThat(answer.statusCode())
                .as(new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(status);
        return RunningService.body(answer).get("detail").asString();
    }
}

package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A run of {@code fc.bias} and {@code fc.weight} that freezes the weight. */
class FreezeContractTest {

    private static final TensorLayout BIAS = TensorLayout.canonical(List.of(TensorSpec.f32("fc.bias", 2)));

    @Test
    void shouldTakeAndGiveTheTrainableTensorsAlone() {
        try (RunningService service = frozen()) {
            HttpResponse<byte[]> pulled = service.send(service.get(Routes.GET_PARAMETER + "?frozen=omit"));
            String tag = "\"%s-0-trainable\"".formatted(service.generation());
            assertThat(RunningService.decoded(pulled).layout()).isEqualTo(BIAS);
            assertThat(pulled.headers().firstValue("ETag")).contains(tag);
            assertThat(service.send(service.get(Routes.GET_PARAMETER + "?frozen=omit")
                                    .header("If-None-Match", tag))
                            .statusCode())
                    .isEqualTo(304);
            assertThat(service.send(service.get(Routes.GET_PARAMETER).header("If-None-Match", tag))
                            .statusCode())
                    .as("the same version, but other bytes")
                    .isEqualTo(200);

            HttpResponse<byte[]> pushed = push(service, "?pull=true&frozen=omit", 1, 0, 4, 8);

            assertThat(pushed.headers().firstValue("ETag"))
                    .contains("\"%s-1-trainable\"".formatted(service.generation()));
            assertThat(RunningService.decoded(pushed).toFloats(BIAS)).containsExactly(1 - 2, 2 - 4);
            assertThat(service.values()).containsExactly(-1, -2, 3, 4, 5, 6);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"f16", "bf16", "i8"})
    void shouldEncodeBothForms(String encoding) {
        try (RunningService service = frozen()) {
            for (String query : List.of("?encoding=" + encoding, "?frozen=omit&encoding=" + encoding)) {
                HttpResponse<byte[]> answer = service.send(service.get(Routes.GET_PARAMETER + query));
                TensorLayout wanted = query.contains("omit") ? BIAS : Tensors.LAYOUT;
                assertThat(RunningService.decoded(answer)
                                .layout()
                                .firstDifference(Encodings.parse(encoding).wireLayout(wanted)))
                        .as(query)
                        .isEmpty();
            }
        }
    }

    @Test
    void shouldRefuseAGradientOfAllTensorsAndNameTheFrozenOne() {
        try (RunningService service = frozen()) {
            JsonNode problem =
                    service.refused(service.push("a", 1, 0, 1, 1, 1, 1, 1, 1), 422, ProblemKind.LAYOUT_MISMATCH.rule());

            assertThat(problem.get("detail").asString())
                    .isEqualTo("tensor 'fc.weight' is not in the parameter set, which has 1 tensors");
        }
    }

    @Test
    void shouldTellWorkersWhatIsFrozen() {
        try (RunningService service = frozen();
                RunningService other = RunningService.start()) {
            assertThat(registered(service).get("freeze").asString()).isEqualTo("*.weight");
            assertThat(registered(other).has("freeze")).isFalse();
        }
    }

    @Test
    void shouldRefuseASetWithoutTheTensorsThatAreToBeFrozen() {
        try (RunningService service = RunningService.start("ps.freeze=layer1.*")) {
            JsonNode problem = service.refused(
                    service.tensors("PUT", Routes.PUT_PARAMETER, Tensors.parameters(1, 2, 3, 4, 5, 6))
                            .header("If-None-Match", "*"),
                    422,
                    ProblemKind.LAYOUT_MISMATCH.rule());

            assertThat(problem.get("detail").asString())
                    .isEqualTo("ps.freeze: 'layer1.*' matches none of the 2 tensors: fc.bias, fc.weight");
        }
    }

    @Test
    void shouldRefuseAnotherWordThanOmit() {
        try (RunningService service = frozen()) {
            JsonNode problem = service.refused(
                    service.get(Routes.GET_PARAMETER + "?frozen=true"), 400, ProblemKind.INVALID_PARAMETER.rule());

            assertThat(problem.get("detail").asString()).isEqualTo("the parameter 'frozen' must be omit; it is 'true'");
        }
    }

    @Test
    void shouldStepAPartitionWithoutTrainableTensors() {
        TensorLayout weight = TensorLayout.canonical(List.of(TensorSpec.f32("fc.weight", 2, 2)));
        Map<String, String> label = new PartitionLabel(1, 2, "origin", Tensors.LAYOUT).toMap();
        try (RunningService service = RunningService.start("ps.freeze=*.weight")) {
            assertThat(service.send(service.tensors(
                                            "PUT", Routes.PUT_PARAMETER, Tensors.file(weight, label, 3, 4, 5, 6))
                                    .header("If-None-Match", "*"))
                            .statusCode())
                    .isEqualTo(201);
            service.withWorkers("a");
            byte[] nothing =
                    Tensors.file(TensorLayout.canonical(List.of()), Tensors.metadata("a", 1, service.generation(), 0));

            HttpResponse<byte[]> pushed =
                    service.send(service.tensors("POST", Routes.PUT_GRADIENT + "?pull=true&frozen=omit", nothing));

            TensorSet answer = RunningService.decoded(pushed);
            assertThat(answer.layout().size()).isZero();
            assertThat(answer.metadata()).containsEntry("version", "1").containsEntry("partition", "1/2");
            assertThat(RunningService.decoded(service.send(service.get(Routes.GET_PARAMETER)))
                            .toFloats(weight))
                    .containsExactly(3, 4, 5, 6);
        }
    }

    private static RunningService frozen() {
        return RunningService.start("ps.freeze=*.weight", "ps.learning-rate=0.5")
                .startingAt(1, 2, 3, 4, 5, 6)
                .withWorkers("a");
    }

    private static HttpResponse<byte[]> push(
            RunningService service, String query, long sequence, long base, float... gradient) {
        return service.send(service.tensors(
                "POST",
                Routes.PUT_GRADIENT + query,
                Tensors.file(BIAS, Tensors.metadata("a", sequence, service.generation(), base), gradient)));
    }

    private static JsonNode registered(RunningService service) {
        return RunningService.body(service.send(service.json(Routes.REGISTER_WORKER, "{}")));
    }
}

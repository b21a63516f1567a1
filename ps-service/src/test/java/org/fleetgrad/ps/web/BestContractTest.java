package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The parameters of the best evaluated version, which the server asks for and keeps. */
@Timeout(60)
class BestContractTest {

    @TempDir
    private Path folder;

    private RunningService start(String... more) {
        String[] settings = new String[more.length + 3];
        settings[0] = "ps.durability.mode=journal";
        settings[1] = "ps.durability.location=" + folder;
        settings[2] = "ps.durability.keep=1";
        System.arraycopy(more, 0, settings, 3, more.length);
        return RunningService.start(settings);
    }

    @Test
    void shouldKeepTheBestEvaluatedVersionAcrossRestartAndRollback() throws IOException {
        try (RunningService service = start().startingAt(0, 0, 0, 0, 0, 0).withWorkers("a")) {
            for (int push = 1; push <= 3; push++) {
                service.send(service.push("a", push, push - 1, 0, 0, 0, 0, 0, 0));
            }
            assertThat(wants(service, 0, "0.25")).isTrue();
            assertThat(keep(service, 0, 0)).isTrue();
            assertThat(wants(service, 1, "0.75")).isTrue();
            assertThat(keep(service, 1, 1)).isTrue();
            assertThat(wants(service, 1, "0.75"))
                    .as("the server has it already")
                    .isFalse();
            assertThat(wants(service, 2, "0.5")).isFalse();
            assertThat(keep(service, 2, 2)).as("nobody asked for it").isFalse();
            assertThat(RunningService.body(service.send(service.get(Routes.GET_ACCURACY)))
                            .has("parametersWanted"))
                    .isFalse();
        }
        try (RunningService service = start()) {
            assertThat(wants(service, 3, "0.5")).as("after a restart").isFalse();
            service.send(service.json(Routes.ROLLBACK, "{\"checkpoint\":%d}".formatted(newest(service))));
            assertThat(wants(service, 3, "0.7")).as("in another generation").isFalse();
            assertThat(wants(service, 3, "0.8")).isTrue();
            assertBest(1, "0.7500");
            assertThat(keep(service, 3, 3)).isTrue();
        }
        assertBest(3, "0.8000");
    }

    @Test
    void shouldKeepTheBetterOneIfTwoEvaluatorsSendThemInTheWrongOrder() throws IOException {
        try (RunningService service = start().startingAt(0, 0, 0, 0, 0, 0).withWorkers("a")) {
            service.send(service.push("a", 1, 0, 0, 0, 0, 0, 0, 0));
            assertThat(wants(service, 0, "0.25")).isTrue();
            assertThat(wants(service, 1, "0.75")).isTrue();
            assertThat(keep(service, 1, 1)).isTrue();
            assertThat(keep(service, 0, 0)).isFalse();
        }
        assertBest(1, "0.7500");
    }

    /** The partition has three of the six values; the evaluator sends all of them, as it joined them. */
    @Test
    void shouldTakeTheCompleteSetIfTheServerHasAPartition() throws IOException {
        TensorSet whole = TensorSet.ofFloats(Tensors.LAYOUT, new float[] {1, 2, 3, 4, 5, 6}, Map.of("network", "fc"));
        TensorSet lead = Partitioning.of(Tensors.LAYOUT, 2).split(whole).get(0);
        try (RunningService service = start()) {
            HttpRequest.Builder put = service.tensors(
                            "PUT",
                            Routes.PUT_PARAMETER,
                            Safetensors.encode(lead).array())
                    .header("If-None-Match", "*");
            assertThat(service.send(put).statusCode()).isEqualTo(201);
            assertThat(wants(service, 0, "0.25")).isTrue();
            JsonNode problem = service.refused(
                    best(service, 0, Safetensors.encode(lead).array()), 422, ProblemKind.LAYOUT_MISMATCH.rule());
            assertThat(problem.get("tensor").asString()).isNotEmpty();
            assertThat(keep(service, 0, 7)).isTrue();
        }
        Checkpoint best = assertBest(0, "0.2500");
        assertThat(best.parameters().toFloats(Tensors.LAYOUT)).containsOnly(7);
        assertThat(best.parameters().metadata())
                .containsEntry("network", "fc")
                .containsEntry("version", "0")
                .doesNotContainKeys("partition", "partition-origin", "partition-layout");
    }

    @Test
    void shouldRefuseWhatIsNotThisRuns() {
        try (RunningService service = start().startingAt(0, 0, 0, 0, 0, 0)) {
            byte[] body = Tensors.parameters(0, 0, 0, 0, 0, 0);
            JsonNode other = service.refused(
                    service.tensors("PUT", Routes.PUT_BEST + "?generation=other&version=0", body),
                    409,
                    ProblemKind.OTHER_GENERATION.rule());
            assertThat(other.get("detail").asString())
                    .isEqualTo("the parameters are of generation 'other', the server's is '%s'"
                            .formatted(service.generation()));
            service.refused(
                    service.tensors("PUT", Routes.PUT_BEST + "?version=0", body),
                    400,
                    ProblemKind.INVALID_PARAMETER.rule());
            service.refused(
                    service.tensors("PUT", Routes.PUT_BEST + "?version=-1&generation=" + service.generation(), body),
                    400,
                    ProblemKind.INVALID_PARAMETER.rule());
            service.refused(
                    best(service, 0, Tensors.zeros(Map.of(), TensorSpec.f32("other", 6))),
                    422,
                    ProblemKind.LAYOUT_MISMATCH.rule());
        }
    }

    @Test
    void shouldAskForNothingThatARestartWouldLose() {
        try (RunningService service = RunningService.start().startingAt(0, 0, 0, 0, 0, 0)) {
            assertThat(wants(service, 0, "0.25")).isFalse();
            assertThat(keep(service, 0, 0)).isFalse();
        }
    }

    private static boolean wants(RunningService service, long version, String accuracy) {
        return RunningService.body(service.send(service.json(
                        Routes.PUT_ACCURACY,
                        "{\"generation\":\"%s\",\"version\":%d,\"accuracy\":%s,\"samples\":100}"
                                .formatted(service.generation(), version, accuracy))))
                .get("parametersWanted")
                .asBoolean();
    }

    private static boolean keep(RunningService service, long version, float value) {
        return RunningService.body(service.send(
                        best(service, version, Tensors.parameters(value, value, value, value, value, value))))
                .get("kept")
                .asBoolean();
    }

    private static HttpRequest.Builder best(RunningService service, long version, byte[] body) {
        return service.tensors(
                "PUT", Routes.PUT_BEST + "?generation=%s&version=%d".formatted(service.generation(), version), body);
    }

    private static long newest(RunningService service) {
        JsonNode checkpoints =
                RunningService.body(service.send(service.get(Routes.HISTORY))).get("checkpoints");
        return checkpoints.get(checkpoints.size() - 1).get("number").asLong();
    }

    private Checkpoint assertBest(long version, String accuracy) throws IOException {
        try (BestVersion best = BestVersion.of(CheckpointLocation.inFolder(folder))) {
            Checkpoint read = best.read();
            assertThat(read.manifest().version()).isEqualTo(version);
            assertThat(read.manifest().notes())
                    .containsEntry("accuracy", accuracy)
                    .containsEntry("accuracyVersion", Long.toString(version));
            return read;
        }
    }
}

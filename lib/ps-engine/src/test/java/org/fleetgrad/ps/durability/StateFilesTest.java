package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.fleetgrad.checkpoints.CheckpointFile;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.optim.RuleState;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFilesTest {

    private static final ParameterVersion VERSION = new ParameterVersion("g", 12);

    private static final GradientMetadata STAGED = new GradientMetadata("w", 3, "g", 12, 1, 1.5);

    static final StateFiles.Position POSITION =
            new StateFiles.Position(Optional.empty(), true, new Arithmetic("o", "r", "s", "mean", "", ""));

    @Test
    void shouldSpreadAStateThatIsTooLongForOneFileOverSeveral(@TempDir Path folder) throws Exception {
        NavigableMap<Long, float[]> history = new TreeMap<>();
        for (long version = 8; version <= 12; version++) {
            history.put(version, new float[] {version, 2, 3, 4, 5, 6});
        }
        TrainingState state = state(history, RunHistory.State.EMPTY);
        // Two arrays of 24 bytes fit into a file, a third does not.
        List<CheckpointFile> files = StateFiles.write(state, POSITION, 60);

        assertThat(files)
                .extracting(CheckpointFile::name)
                .containsExactly(
                        "parameters.safetensors",
                        "state.safetensors",
                        "state-2.safetensors",
                        "state-3.safetensors",
                        "state-4.safetensors",
                        "training.json");
        try (Checkpoints checkpoints = Checkpoints.open(DurableRun.location(folder))) {
            CheckpointManifest written = checkpoints.write(VERSION, Instant.EPOCH, Map.of(), files);
            TrainingState read =
                    StateFiles.read(checkpoints.read(written.number())).state();
            assertThat(read.optimizer().buffers().get("optimizer/momentum")).containsExactly(6, 5, 4, 3, 2, 1);
            assertThat(read.history()).containsOnlyKeys(8L, 9L, 10L, 11L, 12L);
            assertThat(read.staged()).singleElement().satisfies(staged -> {
                assertThat(staged.metadata()).isEqualTo(STAGED);
                assertThat(staged.values()).containsExactly(9, 8, 7, 6, 5, 4);
            });
            history.forEach(
                    (version, values) -> assertThat(read.history().get(version)).containsExactly(values));
        }
    }

    /** As a server from before loss weights wrote it: each sample counts as one. */
    @Test
    void shouldReadPendingGradientsWithoutWeights() {
        TrainingState.Pending pending =
                new TrainingState.Pending(List.of(new float[6]), true, 2, 24, 24, 36, 24, 12, Set.of("a", "b"));
        TrainingState state = state(new TreeMap<>(), RunHistory.State.EMPTY);
        String written = new String(TrainingJson.write(with(state, pending), POSITION), StandardCharsets.UTF_8);
        String before = written.replaceAll(",\"weights\":[^,]*", "").replaceAll(",\"lossWeight\":[^,}]*", "");
        assertThat(before).hasSizeLessThan(written.length()).doesNotContain("eight\":2");

        TrainingJson read = TrainingJson.read(before.getBytes(StandardCharsets.UTF_8));

        assertThat(read.pending().orElseThrow()).usingRecursiveComparison().isEqualTo(pending.with(List.of()));
        assertThat(read.staged()).containsExactly(STAGED);
    }

    private static TrainingState with(TrainingState state, TrainingState.Pending pending) {
        return new TrainingState(
                state.version(),
                state.layout(),
                state.metadata(),
                state.parameters(),
                state.optimizer(),
                Optional.of(pending),
                state.staged(),
                state.answers(),
                state.clocks(),
                state.members(),
                state.counts(),
                state.history(),
                state.work(),
                state.course());
    }

    static TrainingState state(NavigableMap<Long, float[]> history, RunHistory.State course) {
        return new TrainingState(
                VERSION,
                Tensors.LAYOUT,
                Map.of(),
                new float[] {1, 2, 3, 4, 5, 6},
                new RuleState(
                        Map.of("optimizer/steps", 12L), Map.of("optimizer/momentum", new float[] {6, 5, 4, 3, 2, 1})),
                Optional.empty(),
                List.of(new Gradient(STAGED, new float[] {9, 8, 7, 6, 5, 4})),
                Map.of(),
                Map.of(),
                List.of(),
                new TrainingStatistics().state(),
                history,
                Optional.empty(),
                course);
    }
}

package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.persistence.Origin.Beginning;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that was taken with some frozen tensors goes on with others. */
class OtherFreezeTest {

    private static final OptimizerSettings ADAM = new AdamSettings(0.9f, 0.99f, 1e-8f, 0, false);

    @TempDir
    private Path folder;

    @Test
    void shouldFindTheOptimizersStateByTheNamesOfTheTensors() throws IOException {
        train(settings(ADAM, "z*"));

        Beginning.State begun = (Beginning.State) read(settings(ADAM, "a*,z*"));

        // Of a.bias, a.weight, s, w it keeps s and w: after one step of gradient g the average is 0.1 g.
        assertThat(begun.state().optimizer().buffers().get("optimizer/exp_avg")).containsExactly(0, 0.1f * 6);
        assertThat(begun.state().optimizer().numbers()).containsEntry("optimizer/steps", 1L);
    }

    @Test
    void shouldRefuseToTrainWhatTheOptimizerRemembersNothingOf() throws IOException {
        train(settings(ADAM, "a*,z*"));

        assertThatThrownBy(() -> read(settings(ADAM, "z*")))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith(
                        "has no optimizer state of 2 tensors that were frozen and are to be trained (a.bias, a.weight): freeze them again, or begin with the parameters alone, from a model.safetensors");
        assertThatThrownBy(() -> read(settings(ADAM, "b*")))
                .hasMessageContaining("ps.freeze: 'b*' matches none of the 5 tensors");
    }

    @Test
    void shouldTrainWhatWasFrozenWithAnOptimizerThatRemembersNothing() throws IOException {
        OptimizerSettings plain = new SgdSettings(0, 0, false, 0);
        train(settings(plain, "a*,z*"));

        try (TrainingRun run = new DurableRun(settings(plain, "z*"))
                .open(DurableRun.JOURNAL, folder.resolve("next"), source(settings(plain, "z*")))
                .withWorkers("a")) {
            float[] before = run.values();
            run.push(metadata(1, run.training().generation(), run.version()), 2, 2, 2, 2, before[4], 2);
            assertThat(run.values())
                    .containsExactly(
                            before[0] - 1, before[1] - 1, before[2] - 1, before[3] - 1, before[4], before[5] - 1, 7, 8);
        }
    }

    @Test
    void shouldRefuseToContinueAFolderWithOtherFrozenTensors() {
        train(settings(ADAM, "a*,z*"));

        assertThatThrownBy(() -> new DurableRun(settings(ADAM, "z*"))
                        .open(DurableRun.JOURNAL, folder)
                        .close())
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("frozen a*,z*, but the settings are")
                .hasMessageContaining("frozen z*: restore the old settings");
    }

    private void train(TrainingSettings settings) {
        try (TrainingRun run = new DurableRun(settings)
                .open(DurableRun.JOURNAL, folder)
                .startingFrozen(4, 1)
                .withWorkers("a")) {
            float[] gradient =
                    settings.freeze().patterns().size() == 1 ? new float[] {2, 3, 4, 5, 4, 6} : new float[] {4, 6};
            run.push(metadata(1, TrainingRun.GENERATION, 0), gradient);
        }
    }

    private Beginning read(TrainingSettings settings) throws IOException {
        return source(settings).read();
    }

    private ResumeSource source(TrainingSettings settings) {
        return new ResumeSource(folder.toString(), settings, name -> null);
    }

    private static GradientMetadata metadata(long sequence, String generation, long base) {
        return new GradientMetadata("a", sequence, generation, base, 1, 1, Optional.empty(), OptionalLong.of(1));
    }

    private static TrainingSettings settings(OptimizerSettings optimizer, String freeze) {
        return TrainingRun.frozen(
                new TrainingSettings(
                        new TrainingMode.Async(1),
                        optimizer,
                        new StalenessRule.None(),
                        1,
                        new LearningRateSchedule.Constant(0.5f),
                        TrainingSettings.DecayScope.EVERYTHING,
                        64,
                        0),
                freeze);
    }
}

package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The learning rate is determined by the samples that the run has trained on, across restarts and rollbacks. */
class ScheduleAfterRestartTest {

    /** 1 for 10 samples, then a half for 10, and so on. */
    private static final TrainingSettings SETTINGS = new TrainingSettings(
            new TrainingMode.Async(1),
            new SgdSettings(0, 0, false, 0),
            new StalenessRule.None(),
            1,
            new LearningRateSchedule.StepDecay(1, 10, 0.5f),
            TrainingSettings.DecayScope.EVERYTHING,
            64,
            0);

    @TempDir
    private Path folder;

    private final DurableRun durable = new DurableRun(SETTINGS);

    @Test
    void shouldDecayAfterSamplesWhateverTheNumberOfSteps() {
        try (TrainingRun run =
                durable.open(DurableRun.CHECKPOINTS, folder).startingAt(0).withWorkers("a")) {
            push(run, TrainingRun.GENERATION, 1, 0, 9);
            push(run, TrainingRun.GENERATION, 2, 1, 30);
            assertThat(run.values())
                    .as("the second step begins below 10 samples")
                    .containsExactly(-2);
            push(run, TrainingRun.GENERATION, 3, 2, 1);
            assertThat(run.values()).as("39 samples are three decays").containsExactly(-2.125f);
        }
    }

    @Test
    void shouldGoOnWhereItStoppedAfterAKillAndGoBackWithARollback() {
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))
                .startingAt(0)
                .withWorkers("a")) {
            push(run, TrainingRun.GENERATION, 1, 0, 20);
            DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            push(run, TrainingRun.GENERATION, 2, 1, 20);
            assertThat(run.values()).containsExactly(-1.25f);
            RollbackOutcome.RolledBack back = (RollbackOutcome.RolledBack) TrainingRun.outcome(run.rollBack(1));
            assertThat(run.training().statistics().samplesOfRun()).isZero();
            push(run, back.version().generation(), 3, 0, 20);
            assertThat(run.values()).as("the first learning rate again").containsExactly(-1);
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            assertThat(run.training().statistics().samplesOfRun()).isEqualTo(20);
        }
    }

    @Test
    void shouldBeginAnewInARunThatResumes() {
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("first"))
                .startingAt(0)
                .withWorkers("a")) {
            push(run, TrainingRun.GENERATION, 1, 0, 20);
        }

        try (TrainingRun run = durable.open(
                        DurableRun.JOURNAL, folder.resolve("second"), resumed(folder.resolve("first")))
                .withWorkers("a")) {
            assertThat(run.training().statistics().samplesOfRun()).isZero();
            assertThat(run.training().statistics().samples()).isEqualTo(20);
            push(run, run.training().generation(), 1, 1, 20);
            assertThat(run.values()).containsExactly(-2);
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("second"))) {
            assertThat(run.training().statistics().samplesOfRun()).isEqualTo(20);
            assertThat(run.training().statistics().samples()).isEqualTo(40);
        }
    }

    private static ResumeSource resumed(Path location) {
        return new ResumeSource(location.toString(), SETTINGS, name -> null);
    }

    private static void push(TrainingRun run, String generation, long sequence, long base, long samples) {
        var unused = run.push(TrainingRun.metadata("a", sequence, generation, base, samples), 1);
    }
}

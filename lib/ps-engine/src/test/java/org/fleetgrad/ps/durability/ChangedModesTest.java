package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that is stopped or killed, and continues with other settings. */
@Timeout(60)
class ChangedModesTest {

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final TrainingSettings settings = TrainingRun.plain(new TrainingMode.Async(1), 64);
    private final DurableRun durable = new DurableRun(settings);

    private static void assertServes(TrainingRun run, String generation, long version, float value) {
        assertThat(run.published().version().orElseThrow()).hasToString(generation + "-" + version);
        assertThat(run.values()).containsExactly(value);
    }

    /** Pushes the gradient 2, which subtracts 1 from the value. */
    private static void push(TrainingRun run, long sequence) {
        assertThat(run.push(TrainingRun.metadata("a", sequence, run.training().generation(), run.version(), 1), 2))
                .isEqualTo(new Applied(sequence, 0));
    }

    private Path killed(String name) {
        return DurableRun.copy(folder.resolve("run"), folder.resolve(name));
    }

    @Test
    void shouldGoOnInTheSameGenerationAfterAnOrderlyStopWithoutAJournal() {
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, folder.resolve("run"))
                .startingAt(0)
                .withWorkers("a")) {
            push(run, 1);
            push(run, 2);
        }
        for (int restarts = 0; restarts < 3; restarts++) {
            try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, folder.resolve("run"))) {
                assertServes(run, "g1", 2 + restarts, -2 - restarts);
                push(run, 3 + restarts);
            }
        }
    }

    @Test
    void shouldBeginAGenerationFromTheCheckpointAfterAKillWithoutAJournal() {
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, folder.resolve("run"))
                .startingAt(0)
                .withWorkers("a")) {
            push(run, 1);
            killed("killed");
        }
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, folder.resolve("killed"))) {
            assertServes(run, "g3", 0, 0);
            run.withWorkers("a");
            push(run, 1);
        }
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, folder.resolve("killed"))) {
            assertServes(run, "g3", 1, -1);
        }
    }

    @Test
    void shouldNotTakeAnOrderlyStopForOneThatIsOver() {
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, folder.resolve("run"))
                .startingAt(0)
                .withWorkers("a")) {
            push(run, 1);
        }
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, folder.resolve("run"))) {
            push(run, 2);
            killed("killed");
        }
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, folder.resolve("killed"))) {
            assertThat(run.training().generation()).isNotEqualTo("g1");
            assertThat(run.values()).as("version 2 was not kept").containsExactly(-1);
        }
    }

    @Test
    void shouldGoOnFromModeToMode() {
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))
                .startingAt(0)
                .withWorkers("a")) {
            push(run, 1);
            killed("journaled");
        }
        Path location = folder.resolve("journaled");
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, location)) {
            assertServes(run, "g1", 1, -1);
            push(run, 2);
        }
        try (TrainingRun run =
                new TrainingRun(settings, new TrainingRun.Quiet(), TrainingStore.NONE, new ManualClock())) {
            assertThat(run.published().version())
                    .as("nothing is durable, nothing is brought back")
                    .isEmpty();
        }
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, location)) {
            assertServes(run, "g1", 2, -2);
            push(run, 3);
            DurableRun.copy(location, folder.resolve("again"));
        }
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("again"))) {
            assertServes(run, "g1", 3, -3);
            push(run, 4);
        }
        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, folder.resolve("again"))) {
            assertServes(run, "g1", 4, -4);
        }
    }

    @Test
    void shouldChangeTheScheduleOnlyWhereTheJournalIsInACheckpoint() {
        DurableRun slower = new DurableRun(new TrainingSettings(
                new TrainingMode.Async(1),
                new SgdSettings(0, 0, false, 0),
                new StalenessRule.None(),
                1,
                new LearningRateSchedule.Constant(0.25f),
                TrainingSettings.DecayScope.EVERYTHING,
                64,
                0));
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))
                .startingAt(0)
                .withWorkers("a")) {
            push(run, 1);
            killed("killed");
        }

        assertThatThrownBy(() -> slower.open(DurableRun.JOURNAL, folder.resolve("killed")))
                .hasMessageContaining("the journal was written with ")
                .hasMessageEndingWith("restore the old settings until a checkpoint contains the journal");
        try (TrainingRun run = slower.open(DurableRun.JOURNAL, folder.resolve("run"))) {
            assertServes(run, "g1", 1, -1);
            push(run, 2);
            assertServes(run, "g1", 2, -1.5f);
        }
    }
}

package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Under look-ahead the server keeps a momentum for each worker, and the served values depend on all of them. */
@Timeout(60)
class GoneWorkersMomentumTest {

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final DurableRun durable = new DurableRun(new TrainingSettings(
            new TrainingMode.Async(1),
            new SgdSettings(0.5f, 0, false, 0),
            new StalenessRule.LookAhead(),
            1,
            new LearningRateSchedule.Constant(0.5f),
            TrainingSettings.DecayScope.EVERYTHING,
            64,
            0));

    private TrainingRun begin() {
        TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))
                .startingAt(1, 2)
                .withWorkers("a", "b");
        run.push("a", 1, 0, 2, 4);
        run.push("b", 1, 0, 8, 16);
        return run;
    }

    @Test
    void shouldServeTheSameBytesOfAVersionAfterARestartThoughAWorkerIsGone() {
        byte[] before;
        byte[] after;
        try (TrainingRun run = begin()) {
            run.unregister("b");
            before = run.bytes();
            DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
            run.push("a", 2, 2, 2, 2);
            after = run.bytes();
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            assertThat(run.bytes()).isEqualTo(before);
            run.push("a", 2, 2, 2, 2);
            assertThat(run.bytes()).isEqualTo(after);
            // w = 1 - 0.5 (2 + 8) = -4, then v_a = 0.5 * 2 + 2 = 3: w = -5.5, served 0.5 * 0.5 * 3 further ahead.
            assertThat(run.values()[0]).as("b's momentum counts no more").isEqualTo(-6.25f);
        }
    }

    @Test
    void shouldForgetTheWorkersOfACheckpointThatAreGoneSince() throws IOException {
        Path location = folder.resolve("run");
        // Saves a state with both workers, then recovers it without b.
        begin().close();
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, location)) {
            long both = newest(location);
            run.unregister("b");
            RollbackOutcome.RolledBack back = (RollbackOutcome.RolledBack) TrainingRun.outcome(run.rollBack(both));
            assertThat(back.version().version()).isEqualTo(2);
            run.push(TrainingRun.metadata("a", 2, back.version().generation(), 2, 1), 2, 2);

            assertThat(run.values()[0]).as("b's momentum counts no more").isEqualTo(-6.25f);
        }
        try (Checkpoints checkpoints = Checkpoints.open(DurableRun.location(location))) {
            assertThat(StateFiles.read(checkpoints.read(newest(location)))
                            .state()
                            .optimizer()
                            .buffers())
                    .containsOnlyKeys("rule/momentum_sum", "rule/worker/a/momentum");
        }
    }

    private static long newest(Path location) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(DurableRun.location(location))) {
            return checkpoints.list().get(0).number();
        }
    }
}

package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.Gate;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replaying gradients needs the values that they were computed on. */
@Timeout(60)
class BasesAfterRestartTest {

    private static final int HISTORY = 4;

    @TempDir(factory = InMemory.class)
    private Path folder;

    private static TrainingSettings settings() {
        return new TrainingSettings(
                new TrainingMode.Async(1),
                new SgdSettings(0.5f, 0, false, 0),
                new StalenessRule.DelayCompensated(0.5f),
                HISTORY,
                new LearningRateSchedule.Constant(0.5f),
                TrainingSettings.DecayScope.EVERYTHING,
                64,
                0);
    }

    @Test
    void shouldKnowTheBaseOfTheFirstGradientAfterThePut() {
        DurableRun durable = new DurableRun(settings());
        byte[] before;
        Path killed;
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))
                .startingAt(1, 2)
                .withWorkers("a", "b")) {
            run.push("a", 1, 0, 3, 5);
            run.push("b", 1, 0, -2, 7);
            before = run.bytes();
            killed = DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, killed)) {
            assertThat(run.bytes()).isEqualTo(before);
            assertThat(run.push("b", 2, 1, 1, 1)).isEqualTo(new Applied(3, 1));
        }
    }

    @Test
    void shouldRefuseABaseThatIsTooOldThoughItsValuesAreStillThere() throws InterruptedException {
        Gate gate = new Gate();
        DurableRun durable = new DurableRun(settings()).hearing(gate);
        List<PushOutcome> outcomes;
        byte[] before;
        Path killed;
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))
                .startingAt(1, 2)
                .withWorkers("a")) {
            // They are applied together and then served together, so version 0 was the only one that a worker could
            // pull.
            List<CompletableFuture<PushOutcome>> together = gate.together(HISTORY + 1, sequence -> push(run, sequence));
            outcomes = together.stream().map(CompletableFuture::join).toList();
            before = run.bytes();
            killed = DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }

        assertThat(outcomes)
                .containsExactly(
                        new Applied(1, 0),
                        new Applied(2, 1),
                        new Applied(3, 2),
                        new Applied(4, 3),
                        new Refused(
                                Reason.STALE_GRADIENT,
                                "the gradient's base version is 0; the rule delay-compensated:lambda=0.5 needs its values, and the server keeps those since version 1: pull and go on"));
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, killed)) {
            assertThat(run.bytes()).isEqualTo(before);
        }
    }

    private static CompletableFuture<PushOutcome> push(TrainingRun run, int sequence) {
        return run.send(TrainingRun.metadata("a", sequence, TrainingRun.GENERATION, 0, 1), 3, 5);
    }
}

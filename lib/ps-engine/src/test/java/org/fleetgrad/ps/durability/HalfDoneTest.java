package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.outcome.PushOutcome.Duplicate;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gradient was journaled but not applied: memory and journal disagree, and the journal is authoritative. */
@Timeout(60)
class HalfDoneTest {

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final AtomicBoolean isFull = new AtomicBoolean();

    private final DurableRun durable = new DurableRun(TrainingRun.plain(new TrainingMode.Async(2), 64))
            .hearing(new TrainingRun.Quiet() {
                @Override
                public void stepped(ParameterVersion version, int gradients, long staleness) {
                    if (isFull.getAndSet(false)) {
                        throw new OutOfMemoryError("as the allocation of a large buffer would");
                    }
                }
            });

    @Test
    void shouldTakeNothingMoreOnceAJournaledGradientIsNotApplied() {
        byte[] published;
        try (TrainingRun run =
                durable.open(DurableRun.JOURNAL, folder).startingAt(0).withWorkers("a")) {
            run.push("a", 1, 0, 2);
            run.push("a", 2, 0, 2);
            run.push("a", 3, 1, 4);
            published = run.bytes();

            isFull.set(true);
            assertNotDurable(run.answer("a", 4, 1, 8));
            assertNotDurable(run.answer("a", 5, 1, 16));

            assertThat(run.bytes()).as("reads go on").isEqualTo(published);
            assertThat(run.training().unreadiness()).isPresent();
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder)) {
            assertThat(run.push("a", 4, 1, 8)).isEqualTo(new Duplicate(new Applied(2, 0)));
            assertThat(run.push("a", 5, 1, 16)).isEqualTo(new Buffered(2));
            assertThat(run.values()).containsExactly(-1 - 3);
        }
    }

    private static void assertNotDurable(SubmissionResult<PushOutcome> answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        SubmissionResult.NotDurable.class,
                        lost -> assertThat(lost.detail()).contains("until it is restarted"));
    }

    @Test
    void shouldLetGoOfTheFolderWhenNothingCanBeBroughtBack() {
        durable.open(DurableRun.JOURNAL, folder).startingAt(0).close();
        DurableRun other = new DurableRun(new TrainingSettings(
                new TrainingMode.Async(1),
                new SgdSettings(0.9f, 0, false, 0),
                new StalenessRule.None(),
                1,
                new LearningRateSchedule.Constant(0.5f),
                TrainingSettings.DecayScope.EVERYTHING,
                64,
                0));

        assertThatThrownBy(() -> other.open(DurableRun.JOURNAL, folder))
                .hasMessageContaining("was taken with optimizer sgd")
                .hasMessageContaining("restore the old settings, or start a new run from it with ps.resume-from");

        durable.open(DurableRun.JOURNAL, folder).close();
    }
}

package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Duplicate;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The answers while the disk rejects every write. */
@Timeout(60)
class RefusedKeepTest {

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final FullDisk disk = new FullDisk();
    private final DurableRun durable = new DurableRun(TrainingRun.plain(new TrainingMode.Async(1), 64));
    private Path location = Path.of("");

    @BeforeEach
    void watch() {
        location = new WatchedDisk(disk).path(folder.resolve("run"));
    }

    private TrainingRun begin() {
        TrainingRun run =
                durable.open(DurableRun.JOURNAL, location).startingAt(0).withWorkers("a");
        assertThat(run.push("a", 1, 0, 2)).isEqualTo(new Applied(1, 0));
        return run;
    }

    @Test
    void shouldRefuseAPushThatCannotBeJournaledUntilItCan() {
        byte[] after;
        try (TrainingRun run = begin()) {
            byte[] before = run.bytes();
            disk.fail(change -> change.equals("write segment-000001.journal"));

            assertThat(run.answer("a", 2, 1, 4))
                    .isEqualTo(new SubmissionResult.NotDurable<>(
                            "the gradient could not be journaled, and was not taken: no space left on device"));
            disk.fail(change -> change.contains("segment"));
            assertThat(run.answer("a", 2, 1, 4)).isInstanceOf(SubmissionResult.NotDurable.class);

            assertThat(run.bytes()).isEqualTo(before);
            assertThat(run.training().statistics().state().pushes()).containsEntry("not-durable", 2L);
            assertThat(run.training().unreadiness()).isEmpty();
            disk.mend();
            assertThat(run.push("a", 2, 1, 4)).isEqualTo(new Applied(2, 0));
            after = run.bytes();
            DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("killed"))) {
            assertThat(run.bytes()).isEqualTo(after);
            assertThat(run.push("a", 2, 1, 4)).isEqualTo(new Duplicate(new Applied(2, 0)));
        }
    }

    @Test
    void shouldTakeNothingMoreWhereTheDiskDoesNotConfirm() {
        try (TrainingRun run = begin()) {
            byte[] before = run.bytes();
            disk.fail(change -> change.equals("force segment-000001.journal"));
            String why =
                    "the disk did not confirm what was written to it (no space left on device): the server takes nothing more until it is restarted";

            assertThat(run.answer("a", 2, 1, 4)).isEqualTo(new SubmissionResult.NotDurable<>(why));
            disk.mend();

            assertThat(run.answer("a", 3, 1, 4)).isEqualTo(new SubmissionResult.NotDurable<>(why));
            assertThat(run.submitPut(Precondition.PRESENT, 7).join()).isEqualTo(new SubmissionResult.NotDurable<>(why));
            assertThat(run.rollBack(1)).isEqualTo(new SubmissionResult.NotDurable<>(why));
            assertThat(run.bytes()).as("reads go on").isEqualTo(before);
            assertThat(run.training().unreadiness()).contains(why);
        }
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))) {
            // The entry may be on the disk or not: this disk only reported a failure. If it is there, it counts once.
            assertThat(run.version()).isEqualTo(2);
            assertThat(run.push("a", 2, 1, 4)).isEqualTo(new Duplicate(new Applied(2, 0)));
        }
    }

    @Test
    void shouldGoOnAsBeforeWhereAParameterSetOrARollbackCannotBeKept() {
        try (TrainingRun run = begin()) {
            byte[] before = run.bytes();
            disk.fail(change -> change.equals("move to manifest.json"));

            String why = "checkpoint-000002 cannot be written to %s: no space left on device"
                    .formatted(folder.resolve("run"));
            assertThat(run.submitPut(Precondition.PRESENT, 7).join())
                    .isEqualTo(new SubmissionResult.NotDurable<>("the parameter set could not be kept: " + why));
            assertThat(run.rollBack(1))
                    .isEqualTo(new SubmissionResult.NotDurable<>(
                            "the checkpoint's state could not be kept as the newest: " + why));

            assertThat(run.bytes()).isEqualTo(before);
            assertThat(run.training().generation()).isEqualTo("g1");
            assertThat(run.push("a", 2, 1, 4)).isEqualTo(new Applied(2, 0));
            disk.mend();
            assertThat(TrainingRun.outcome(run.rollBack(1))).isInstanceOf(RollbackOutcome.RolledBack.class);
            assertThat(run.values()).containsExactly(0);
        }
    }

    @Test
    void shouldSayWhyACheckpointCannotBeGoneBackTo() {
        try (TrainingRun run = begin()) {
            assertThat(TrainingRun.outcome(run.rollBack(9)))
                    .isInstanceOfSatisfying(
                            RollbackOutcome.Unusable.class,
                            unusable -> assertThat(unusable.detail())
                                    .startsWith("checkpoint-000009: no such checkpoint in "));
            assertThat(TrainingRun.outcome(run.rollBack(-1))).isInstanceOf(RollbackOutcome.Unusable.class);
        }
        try (TrainingRun run = new DurableRun(TrainingRun.plain(new TrainingMode.Async(1), 64))
                .open(DurableRun.JOURNAL, folder.resolve("empty"))) {
            DurableRun.copy(folder.resolve("run"), folder.resolve("empty"));
            assertThat(TrainingRun.outcome(run.rollBack(1)))
                    .isEqualTo(new RollbackOutcome.Unusable(
                            "the server has no parameter set yet: put one to /putParameter"));
        }
    }
}

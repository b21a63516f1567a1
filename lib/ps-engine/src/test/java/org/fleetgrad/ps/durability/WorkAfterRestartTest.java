package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.run.AddOutcome;
import org.fleetgrad.ps.run.Assignments.ShardOutcome;
import org.fleetgrad.ps.run.Assignments.WorkOutcome;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.ps.work.WorkQueue.Assignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The work stays consistent with the parameters, whatever happens to the server. */
@Timeout(60)
class WorkAfterRestartTest {

    private static final PlannedShard FOUR = new PlannedShard("four", "file:///four", 4);
    private static final PlannedShard TWO = new PlannedShard("two", "file:///two", 2);
    private static final WorkPlan PLAN = new WorkPlan("digits", 2, List.of(FOUR, TWO));

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final DurableRun durable = new DurableRun(TrainingRun.plain(new TrainingMode.Async(1), 64));

    private static ShardOutcome next(TrainingRun run, String worker) {
        return TrainingRun.outcome(run.training().nextShard(worker).join());
    }

    private static PushOutcome push(TrainingRun run, String worker, long sequence, long samples, Cursor reached) {
        String generation = run.published().version().orElseThrow().generation();
        return run.push(
                TrainingRun.metadata(worker, sequence, generation, run.version(), samples)
                        .reaching(Optional.of(reached)),
                2);
    }

    private static ShardOutcome leased(PlannedShard shard, long epoch, int index, long sample) {
        return new ShardOutcome.Leased(new Assignment(new Cursor(epoch, index, sample), shard));
    }

    private TrainingRun begun(DurabilitySettings settings) {
        TrainingRun run =
                durable.open(settings, folder.resolve("run")).startingAt(0).withWorkers("a", "b");
        assertThat(run.training().putWork(PLAN).join())
                .isEqualTo(new SubmissionResult.Done<>(new WorkOutcome.Accepted(true)));
        return run;
    }

    @Test
    void shouldKnowAfterAKillWhoHasWhatAndHowFarItIs() {
        Path killed;
        try (TrainingRun run = begun(DurableRun.JOURNAL)) {
            next(run, "a");
            next(run, "b");
            push(run, "a", 1, 3, new Cursor(0, 0, 3));
            push(run, "b", 1, 2, new Cursor(0, 1, 2));
            next(run, "b");
            killed = DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, killed)) {
            assertThat(run.values()).containsExactly(-2);
            assertThat(next(run, "a")).isEqualTo(leased(FOUR, 0, 0, 3));
            assertThat(next(run, "b")).isEqualTo(leased(FOUR, 1, 0, 0));
            assertThat(push(run, "a", 1, 3, new Cursor(0, 0, 3))).isInstanceOf(PushOutcome.Duplicate.class);
            assertThat(push(run, "a", 2, 1, new Cursor(0, 0, 4))).isEqualTo(new PushOutcome.Applied(3, 0));
            assertThat(run.training().work().orElseThrow().samples()).isEqualTo(6);
        }
    }

    @Test
    void shouldKnowAfterAKillWhatWasAddedAndHowFarItIs() {
        PlannedShard extra = new PlannedShard("extra", "file:///extra", 3);
        Path killed;
        try (TrainingRun run = begun(DurableRun.JOURNAL)) {
            assertThat(run.training().addWork(4, -1, extra, 0.5).join())
                    .isEqualTo(new SubmissionResult.Done<>(new AddOutcome.Added(true)));
            assertThat(next(run, "a")).isEqualTo(leased(extra, 0, 6, 0));
            push(run, "a", 1, 2, new Cursor(0, 6, 2));
            killed = DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, killed)) {
            assertThat(run.training().addWork(4, -1, extra, 0.5).join())
                    .isEqualTo(new SubmissionResult.Done<>(new AddOutcome.Added(false)));
            assertThat(next(run, "a")).isEqualTo(leased(extra, 0, 6, 2));
            assertThat(push(run, "a", 2, 1, new Cursor(0, 6, 3))).isEqualTo(new PushOutcome.Applied(2, 0));
            assertThat(next(run, "a")).isEqualTo(leased(FOUR, 0, 0, 0));
            assertThat(run.training().work().orElseThrow().samples()).isZero();
            assertThat(run.training().work().orElseThrow().added()).contains(new WorkQueue.AddedFigures(4, 3, 1, 0));
            assertThat(TrainingRun.outcome(
                            run.training().completeShard("a", 0, 6).join()))
                    .isEqualTo(new ShardOutcome.Returned(true, 3));
        }
    }

    @Test
    void shouldForgetWithARollbackWhatWasAddedAfterTheCheckpoint() {
        PlannedShard extra = new PlannedShard("extra", "file:///extra", 3);
        try (TrainingRun run = begun(DurableRun.JOURNAL)) {
            long before = DurableRun.numbers(folder.resolve("run")).get(0);
            run.training().addWork(0, -1, extra, 0.5).join();
            assertThat(TrainingRun.outcome(run.rollBack(before))).isInstanceOf(RollbackOutcome.RolledBack.class);

            assertThat(TrainingRun.outcome(
                            run.training().addWork(1, 0, extra, 0.5).join()))
                    .isEqualTo(
                            new AddOutcome.Refused(
                                    AddOutcome.Reason.WORK_BEHIND,
                                    "shard 1 comes after 0, which this run does not know: a rollback or a lost checkpoint undid it; GET /status says which is the last ('work.added.last'), add those after it again"));
            assertThat(run.training().addWork(0, -1, extra, 0.5).join())
                    .isEqualTo(new SubmissionResult.Done<>(new AddOutcome.Added(true)));
        }
    }

    @Test
    void shouldKnowAfterAKillTheWorkThatWasPutBeforeTheParameters() {
        Path killed;
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))) {
            assertThat(run.training().putWork(PLAN).join())
                    .isEqualTo(new SubmissionResult.Done<>(new WorkOutcome.Accepted(true)));
            killed = DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }

        try (TrainingRun run =
                durable.open(DurableRun.JOURNAL, killed).startingAt(0).withWorkers("a")) {
            assertThat(next(run, "a")).isEqualTo(leased(FOUR, 0, 0, 0));
        }
        assertThat(killed.resolve(EarlyWork.FILE)).doesNotExist();
    }

    @Test
    void shouldNotKnowTheWorkOfADamagedFile() throws IOException {
        Path run = Files.createDirectories(folder.resolve("run"));
        Files.writeString(run.resolve(EarlyWork.FILE), "{\"dataset\":");

        assertThatThrownBy(() -> durable.open(DurableRun.JOURNAL, run).close())
                .hasStackTraceContaining("work.json")
                .hasStackTraceContaining("put the work again");
    }

    @Test
    void shouldKnowAfterAKillWhatWasGivenBackOrLost() {
        Path killed;
        try (TrainingRun run = begun(DurableRun.JOURNAL)) {
            next(run, "a");
            push(run, "a", 1, 1, new Cursor(0, 0, 1));
            run.training().completeShard("a", 0, 0).join();
            next(run, "b");
            run.unregister("b");
            killed = DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }

        try (TrainingRun run = durable.open(DurableRun.JOURNAL, killed)) {
            assertThat(run.training().work().orElseThrow().leased()).isZero();
            assertThat(next(run, "a")).isEqualTo(leased(FOUR, 0, 0, 1));
        }
    }

    @Test
    void shouldGoBackWithTheParametersWhereTheStepsSinceACheckpointAreLost() {
        Path killed;
        try (TrainingRun run = begun(DurableRun.CHECKPOINTS)) {
            next(run, "a");
            push(run, "a", 1, 3, new Cursor(0, 0, 3));
            killed = DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
        }

        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, killed).withWorkers("a")) {
            assertThat(run.values()).containsExactly(0);
            assertThat(next(run, "a")).isEqualTo(leased(FOUR, 0, 0, 0));
        }
    }

    @Test
    void shouldGoBackWithTheParametersOnARollback() {
        try (TrainingRun run = begun(DurableRun.JOURNAL)) {
            next(run, "a");
            push(run, "a", 1, 3, new Cursor(0, 0, 3));
            long begin = DurableRun.numbers(folder.resolve("run")).get(0);

            assertThat(TrainingRun.outcome(run.rollBack(begin))).isInstanceOf(RollbackOutcome.RolledBack.class);

            assertThat(run.values()).containsExactly(0);
            assertThat(push(run, "a", 2, 1, new Cursor(0, 0, 4))).isInstanceOf(PushOutcome.Refused.class);
            assertThat(next(run, "b")).isEqualTo(leased(FOUR, 0, 0, 0));
        }
    }

    @Test
    void shouldRestartTheWorkOnARollbackToATimeBeforeIt() {
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))
                .startingAt(0)
                .withWorkers("a")) {
            long withoutWork = DurableRun.numbers(folder.resolve("run")).get(0);
            run.training().putWork(PLAN).join();
            next(run, "a");
            push(run, "a", 1, 4, new Cursor(0, 0, 4));

            assertThat(TrainingRun.outcome(run.rollBack(withoutWork))).isInstanceOf(RollbackOutcome.RolledBack.class);

            assertThat(next(run, "a")).isEqualTo(leased(FOUR, 0, 0, 0));
        }
    }

    @Test
    void shouldKeepWorkThatWasPutBeforeTheFirstParameters() {
        try (TrainingRun run = durable.open(DurableRun.JOURNAL, folder.resolve("run"))) {
            run.training().putWork(PLAN).join();
            run.startingAt(0);
        }
        try (TrainingRun run =
                durable.open(DurableRun.JOURNAL, folder.resolve("run")).withWorkers("a")) {
            assertThat(next(run, "a")).isEqualTo(leased(FOUR, 0, 0, 0));
        }
    }
}

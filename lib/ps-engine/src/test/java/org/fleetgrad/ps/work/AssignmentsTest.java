package org.fleetgrad.ps.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Duplicate;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.run.Assignments.ShardOutcome;
import org.fleetgrad.ps.run.Assignments.WorkOutcome;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.ps.work.WorkQueue.Assignment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which worker holds which shard, and the effect on its pushes. */
@Timeout(60)
class AssignmentsTest {

    private static final PlannedShard FOUR = new PlannedShard("four", "file:///four", 4);
    private static final PlannedShard TWO = new PlannedShard("two", "file:///two", 2);
    private static final WorkPlan PLAN = new WorkPlan("digits", 1, List.of(FOUR, TWO));

    private final TrainingRun run =
            new TrainingRun(new TrainingMode.Async(1)).startingAt(0).withWorkers("a", "b", "c");

    @AfterEach
    void close() {
        run.close();
    }

    private WorkOutcome put(WorkPlan plan) {
        return TrainingRun.outcome(run.training().putWork(plan).join());
    }

    private ShardOutcome next(String worker) {
        return TrainingRun.outcome(run.training().nextShard(worker).join());
    }

    private ShardOutcome complete(String worker, long epoch, int shard) {
        return TrainingRun.outcome(
                run.training().completeShard(worker, epoch, shard).join());
    }

    /** Pushes a gradient of w on so many samples, which reach the cursor. */
    private PushOutcome push(String worker, long sequence, long samples, Cursor reached) {
        return run.push(
                TrainingRun.metadata(worker, sequence, TrainingRun.GENERATION, run.version(), samples)
                        .reaching(Optional.of(reached)),
                2);
    }

    private static ShardOutcome leased(PlannedShard shard, int index, long sample) {
        return new ShardOutcome.Leased(new Assignment(new Cursor(0, index, sample), shard));
    }

    private static void assertRefused(PushOutcome outcome, String detail) {
        assertThat(outcome).isInstanceOfSatisfying(PushOutcome.Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo(Reason.OTHER_CURSOR);
            assertThat(refused.detail()).contains(detail);
        });
    }

    @Test
    void shouldHandOutEachShardOnceAndTheSameToWhoAsksAgain() {
        assertThat(put(PLAN)).isEqualTo(new WorkOutcome.Accepted(true));

        assertThat(next("a")).isEqualTo(leased(FOUR, 0, 0));
        assertThat(next("b")).isEqualTo(leased(TWO, 1, 0));
        assertThat(next("a")).isEqualTo(leased(FOUR, 0, 0));
        assertThat(next("c")).isEqualTo(new ShardOutcome.Wait());
    }

    @Test
    void shouldMoveParametersAndCursorTogether() {
        put(PLAN);
        next("a");

        assertThat(push("a", 1, 3, new Cursor(0, 0, 3))).isEqualTo(new Applied(1, 0));
        assertThat(push("a", 1, 3, new Cursor(0, 0, 3))).isEqualTo(new Duplicate(new Applied(1, 0)));

        assertThat(run.values()).containsExactly(-1);
        assertThat(next("a")).isEqualTo(leased(FOUR, 0, 3));
        assertThat(run.training().work().orElseThrow().samples()).isEqualTo(3);
    }

    @Test
    void shouldTakeNoGradientTwiceOrOutOfTurn() {
        put(PLAN);
        next("a");
        push("a", 1, 2, new Cursor(0, 0, 2));

        assertRefused(push("a", 2, 2, new Cursor(0, 0, 2)), "worker 'a' is at 0/0/2 of a shard of 4 samples");
        assertRefused(push("a", 3, 1, new Cursor(0, 0, 4)), "its gradient covers 1 samples up to 0/0/4");
        assertRefused(push("a", 4, 3, new Cursor(0, 0, 5)), "up to 0/0/5");
        assertRefused(push("a", 5, 2, new Cursor(0, 1, 2)), "up to 0/1/2");
        assertRefused(push("b", 1, 2, new Cursor(0, 0, 4)), "worker 'b' has no shard");
        assertThat(run.values()).containsExactly(-1);
    }

    @Test
    void shouldTakeGradientsOfNoShardAsBefore() {
        put(PLAN);

        assertThat(run.push("a", 1, 0, 2)).isEqualTo(new Applied(1, 0));
        assertThat(run.training().work().orElseThrow().samples()).isZero();
    }

    @Test
    void shouldEndWhenEverySampleIsDone() {
        put(PLAN);
        next("a");
        next("b");
        push("a", 1, 4, new Cursor(0, 0, 4));
        assertThat(next("a")).isEqualTo(new ShardOutcome.Wait());
        push("b", 1, 2, new Cursor(0, 1, 2));

        assertThat(next("a")).isEqualTo(new ShardOutcome.Done());
        assertThat(run.training().work().orElseThrow().isDone()).isTrue();
        assertThat(complete("a", 0, 0)).isEqualTo(new ShardOutcome.Returned(true, 4));
    }

    @Test
    void shouldGoOnBehindTheLastSampleThatCountedWhenAShardIsGivenBack() {
        put(PLAN);
        next("a");
        push("a", 1, 1, new Cursor(0, 0, 1));

        assertThat(complete("a", 0, 0)).isEqualTo(new ShardOutcome.Returned(false, 1));
        assertThat(complete("a", 0, 0)).as("a repeated call").isEqualTo(new ShardOutcome.Returned(false, 1));

        assertRefused(push("a", 2, 1, new Cursor(0, 0, 2)), "worker 'a' has no shard");
        assertThat(next("b")).isEqualTo(leased(FOUR, 0, 1));
    }

    @Test
    void shouldGiveTheRestToAnotherWhenALeaseRunsOut() {
        put(PLAN);
        next("a");
        push("a", 1, 3, new Cursor(0, 0, 3));
        run.advance(TrainingRun.LEASE.minus(Duration.ofSeconds(1)));
        run.leases().renew("b");
        run.advance(Duration.ofSeconds(2));

        assertThat(next("b")).isEqualTo(leased(FOUR, 0, 3));
        run.withWorkers("a");
        assertRefused(push("a", 2, 1, new Cursor(0, 0, 4)), "worker 'a' has no shard");
        assertThat(next("a")).isEqualTo(leased(TWO, 1, 0));
    }

    @Test
    void shouldFreeTheShardOfAWorkerThatLeaves() {
        put(PLAN);
        next("a");
        run.unregister("a");

        assertThat(next("b")).isEqualTo(leased(FOUR, 0, 0));
        assertThat(next("a"))
                .isInstanceOfSatisfying(
                        ShardOutcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(ShardOutcome.Reason.UNKNOWN_WORKER));
    }

    @Test
    void shouldGoEpochByEpochWithoutEnd() {
        put(new WorkPlan("digits", 0, List.of(TWO)));
        for (int epoch = 0; epoch < 5; epoch++) {
            assertThat(next("a")).isEqualTo(new ShardOutcome.Leased(new Assignment(new Cursor(epoch, 0, 0), TWO)));
            push("a", epoch + 1, 2, new Cursor(epoch, 0, 2));
        }
        assertThat(run.training().work().orElseThrow().isDone()).isFalse();
    }

    @Test
    void shouldGiveNoFurtherShardsWhileTheWorkIsPaused() {
        put(PLAN);
        next("a");
        push("a", 1, 1, new Cursor(0, 0, 1));

        assertThat(put(PLAN.asPaused())).isEqualTo(new WorkOutcome.Accepted(false));

        assertThat(next("a")).isEqualTo(leased(FOUR, 0, 1));
        assertThat(next("b")).isEqualTo(new ShardOutcome.Done());
        push("a", 2, 3, new Cursor(0, 0, 4));
        assertThat(next("a")).isEqualTo(new ShardOutcome.Done());
        assertThat(run.training().work().orElseThrow().isDone()).isFalse();

        assertThat(put(PLAN)).isEqualTo(new WorkOutcome.Accepted(false));
        assertThat(next("b")).isEqualTo(leased(TWO, 1, 0));
    }

    @Test
    void shouldRenewAddressesOfTheSameShardsAndRefuseOthersInTheMiddle() {
        put(PLAN);
        next("a");
        push("a", 1, 1, new Cursor(0, 0, 1));
        PlannedShard moved = new PlannedShard("four", "http://elsewhere/four", 4);

        assertThat(put(new WorkPlan("digits", 1, List.of(moved, TWO)))).isEqualTo(new WorkOutcome.Accepted(false));
        assertThat(next("a")).isEqualTo(leased(moved, 0, 1));
        assertThat(put(new WorkPlan("letters", 2, List.of(moved, TWO))))
                .isInstanceOfSatisfying(
                        WorkOutcome.Exists.class,
                        exists -> assertThat(exists.detail())
                                .contains("in the middle of 1 epochs of 'digits' in 2 shards"));
    }

    @Test
    void shouldGoOnForMoreEpochsWhenItIsToldSo() {
        put(new WorkPlan("digits", 1, List.of(TWO)));
        next("a");
        push("a", 1, 2, new Cursor(0, 0, 2));
        assertThat(next("a")).isEqualTo(new ShardOutcome.Done());

        assertThat(put(new WorkPlan("digits", 2, List.of(TWO)))).isEqualTo(new WorkOutcome.Accepted(false));

        assertThat(next("a")).isEqualTo(new ShardOutcome.Leased(new Assignment(new Cursor(1, 0, 0), TWO)));
    }

    @Test
    void shouldSayThatThereIsNoWork() {
        assertThat(next("a"))
                .isInstanceOfSatisfying(
                        ShardOutcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(ShardOutcome.Reason.NO_WORK));
        put(PLAN);
        assertThat(complete("a", 0, 7))
                .isInstanceOfSatisfying(
                        ShardOutcome.Refused.class,
                        refused -> assertThat(refused.detail())
                                .isEqualTo("there is no shard 7 in epoch 0: the run has 2 shards and 1 epochs"));
    }
}

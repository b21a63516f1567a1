package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.ReportedProgress;
import org.fleetgrad.protocol.work.ReportedProgress.Recent;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.work.WorkQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PutParametersTest {

    private final TrainingRun run = new TrainingRun(new TrainingMode.Async(2)).withWorkers("a");

    @AfterEach
    void close() {
        run.close();
    }

    @Test
    void shouldBeginTheHistoryAtVersionZero() {
        assertThat(run.put(Precondition.ABSENT, 1, 2)).isEqualTo(new PutOutcome.Accepted(version(0), true));

        assertThat(run.values()).containsExactly(1, 2);
    }

    @Test
    void shouldTakeTheFirstOfTwoInitialParameterSets() {
        run.put(Precondition.ABSENT, 1, 2);

        assertThat(run.put(Precondition.ABSENT, 3, 4))
                .isEqualTo(new PutOutcome.PreconditionFailed(Optional.of(version(0))));

        assertThat(run.values()).containsExactly(1, 2);
    }

    @Test
    void shouldOverwriteAsANewVersion() {
        run.startingAt(1, 2);

        assertThat(run.put(Precondition.is(version(0).etag()), 3, 4))
                .isEqualTo(new PutOutcome.Accepted(version(1), false));
        assertThat(run.put(Precondition.PRESENT, 5, 6)).isEqualTo(new PutOutcome.Accepted(version(2), false));

        assertThat(run.values()).containsExactly(5, 6);
    }

    @Test
    void shouldNotOverwriteAnotherVersionThanTheNamed() {
        run.startingAt(1, 2);
        run.put(Precondition.PRESENT, 3, 4);

        assertThat(run.put(Precondition.is(version(0).etag()), 5, 6))
                .isEqualTo(new PutOutcome.PreconditionFailed(Optional.of(version(1))));

        assertThat(run.values()).containsExactly(3, 4);
    }

    @Test
    void shouldNotOverwriteWhatIsNotThere() {
        assertThat(run.put(Precondition.PRESENT, 1)).isEqualTo(new PutOutcome.PreconditionFailed(Optional.empty()));
        assertThat(run.put(Precondition.is("\"g1-0\""), 1))
                .isEqualTo(new PutOutcome.PreconditionFailed(Optional.empty()));

        assertThat(run.published().version()).isEmpty();
    }

    @Test
    void shouldKeepTheLayoutForTheWholeRun() {
        run.startingAt(1, 2);

        assertThat(run.put(Precondition.PRESENT, 1, 2, 3))
                .isEqualTo(new PutOutcome.LayoutMismatch(
                        "w", "tensor 'w' has shape [3] (3 values), the parameter set has [2] (2 values)"));

        assertThat(run.values()).containsExactly(1, 2);
    }

    @Test
    void shouldDropGradientsOnWhatWasOverwritten() {
        run.startingAt(1, 2);
        assertThat(run.push("a", 1, 0, 100, 100)).isEqualTo(new Buffered(0));

        run.put(Precondition.PRESENT, 0, 0);

        assertThat(run.training().statistics().buffered()).isZero();
        assertThat(run.push("a", 2, 1, 2, 2)).isEqualTo(new Buffered(1));
        assertThat(run.push("a", 3, 1, 4, 4)).isEqualTo(new Applied(2, 0));
        assertThat(run.values()).containsExactly(-1.5f, -1.5f);
    }

    @Test
    void shouldCountTheStepsOfATrainingThatMakesThemItself() {
        run.startingAt(1, 2);
        run.training()
                .putWork(new WorkPlan("d", 2, List.of(shard("a", 100), shard("b", 50))))
                .join();

        run.putStating(new ReportedProgress(25, 120, Optional.of(new Recent(1.5, 0.8, 1))), 3, 4);
        assertThat(run.version()).isEqualTo(25);
        run.putStating(new ReportedProgress(40, 190, Optional.of(new Recent(0.5, 2, 3))), 5, 6);

        assertThat(run.version()).isEqualTo(40);
        TrainingStatistics.State counts = run.training().statistics().state();
        assertThat(counts.samples()).isEqualTo(190);
        assertThat(counts.loss()).contains(0.5);
        assertThat(counts.gradients()).isEqualTo(40);
        assertThat(counts.stalenessSum()).isEqualTo(20 + 30);
        assertThat(counts.worstStaleness()).isEqualTo(3);
        WorkQueue.Figures work = run.training().work().orElseThrow();
        assertThat(work.samples()).isEqualTo(190);
        assertThat(work.done()).isEqualTo(2);
    }

    @Test
    void shouldCountNothingTwiceWhenAFlushIsPutAgain() {
        run.startingAt(1, 2);
        ReportedProgress flush = new ReportedProgress(25, 120, Optional.of(new Recent(1.5, 1, 1)));
        run.putStating(flush, 3, 4);

        run.putStating(new ReportedProgress(25, 120, Optional.empty()), 3, 4);

        TrainingStatistics.State counts = run.training().statistics().state();
        assertThat(run.version()).isEqualTo(26);
        assertThat(counts.samples()).isEqualTo(120);
        assertThat(counts.gradients()).isEqualTo(25);
        assertThat(counts.loss()).contains(1.5);
    }

    private static PlannedShard shard(String name, long samples) {
        return new PlannedShard(name, "file:///" + name, samples);
    }

    private static ParameterVersion version(long version) {
        return new ParameterVersion(TrainingRun.GENERATION, version);
    }
}

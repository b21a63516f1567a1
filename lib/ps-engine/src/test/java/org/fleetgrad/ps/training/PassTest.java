package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.junit.jupiter.api.Test;

/** Workers that pass: they have no gradient for a step. */
class PassTest {

    @Test
    void shouldStepWithoutAWorkerThatPassesWhenAllOthersHavePushed() {
        try (TrainingRun run = sync("a", "b", "joiner")) {
            run.push("a", 1, 0, 2);
            run.push("b", 1, 0, 4);

            assertThat(run.pass("joiner", 0)).isEqualTo(new Buffered(1));

            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldWaitForTheOthersWhenAWorkerHasPassed() {
        try (TrainingRun run = sync("a", "b", "joiner")) {
            run.push("a", 1, 0, 2);

            assertThat(run.pass("joiner", 0)).isEqualTo(new Buffered(0));

            assertThat(run.push("b", 1, 0, 4)).isEqualTo(new Applied(1, 0));
            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldWaitForAWorkerAgainAtTheNextVersion() {
        try (TrainingRun run = sync("a", "joiner")) {
            run.push("a", 1, 0, 2);
            run.pass("joiner", 0);

            assertThat(run.push("a", 2, 1, 2)).isEqualTo(new Buffered(1));
            assertThat(run.push("joiner", 1, 1, 4)).isEqualTo(new Applied(2, 0));
        }
    }

    @Test
    void shouldMoveTheVersionAloneWhenAllHavePassed() {
        try (TrainingRun run = sync("a", "b")) {
            run.pass("a", 0);
            assertThat(run.version()).isZero();

            assertThat(run.pass("b", 0)).isEqualTo(new Buffered(1));

            assertThat(run.version()).isEqualTo(1);
            assertThat(run.values()).containsExactly(0);
            assertThat(run.push("a", 1, 1, 2)).isEqualTo(new Buffered(1));
        }
    }

    @Test
    void shouldKeepAWorkersGradientWhenItPassesAfterItsPush() {
        try (TrainingRun run = sync("a", "b")) {
            run.push("a", 1, 0, 2);
            run.pass("a", 0);

            run.push("b", 1, 0, 4);

            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldDoNothingWhenTheVersionIsNotTheNewest() {
        try (TrainingRun run = sync("a")) {
            run.push("a", 1, 0, 2);

            assertThat(run.pass("a", 0)).isEqualTo(new Buffered(1));
            assertThat(run.pass("a", 7)).isEqualTo(new Buffered(1));
            assertThat(run.training()
                            .pass("a", new ParameterVersion("other", 1))
                            .join())
                    .isEqualTo(new SubmissionResult.Done<>(new Buffered(1)));

            assertThat(run.version()).isEqualTo(1);
        }
    }

    @Test
    void shouldDoNothingInAsynchronousTraining() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(2)).startingAt(0).withWorkers("a")) {
            assertThat(run.pass("a", 0)).isEqualTo(new Buffered(0));
            assertThat(run.version()).isZero();
        }
    }

    @Test
    void shouldNotStepWhenTheWorkerThatPassedIsGone() {
        try (TrainingRun run = sync("a", "b")) {
            run.pass("a", 0);
            run.unregister("a");

            assertThat(run.version()).isZero();
            assertThat(run.push("b", 1, 0, 4)).isEqualTo(new Applied(1, 0));
        }
    }

    @Test
    void shouldRefuseAStrangersWord() {
        try (TrainingRun run = sync("a")) {
            assertThat(run.pass("stranger", 0))
                    .isEqualTo(new Refused(
                            Reason.UNKNOWN_WORKER,
                            "worker 'stranger' is not registered, or its lease of 30000 ms ran out"));
        }
    }

    private static TrainingRun sync(String... workers) {
        return new TrainingRun(new TrainingMode.Sync(0)).startingAt(0).withWorkers(workers);
    }
}

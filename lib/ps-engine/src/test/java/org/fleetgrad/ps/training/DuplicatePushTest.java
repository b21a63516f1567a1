package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.outcome.PushOutcome.Duplicate;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.fleetgrad.ps.progress.SequenceLedger;
import org.junit.jupiter.api.Test;

class DuplicatePushTest {

    @Test
    void shouldCountARepeatedPushOnce() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(1)).startingAt(0).withWorkers("a")) {
            run.push("a", 1, 0, 1);
            run.push("a", 2, 0, 2);

            assertThat(run.push("a", 2, 0, 2)).isEqualTo(new Duplicate(new Applied(2, 1)));
            assertThat(run.push("a", 1, 0, 1)).isEqualTo(new Duplicate(new Applied(1, 0)));
            // The number alone decides: the first push with it counted.
            assertThat(run.push(TrainingRun.metadata("a", 1, "other", 99, 7), 500))
                    .isEqualTo(new Duplicate(new Applied(1, 0)));

            assertThat(run.version()).isEqualTo(2);
            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldCountARepeatedPushOnceWhileItWaits() {
        try (TrainingRun run = new TrainingRun(new TrainingMode.Sync(0)).startingAt(0)) {
            run.withWorkers("a", "b");
            run.push("a", 1, 0, 2);

            assertThat(run.push("a", 1, 0, 2)).isEqualTo(new Duplicate(new Buffered(0)));
            run.push("b", 1, 0, 4);
            assertThat(run.push("a", 1, 0, 2)).isEqualTo(new Duplicate(new Buffered(0)));

            assertThat(run.version()).isEqualTo(1);
            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldCountARepeatedPushOnceAfterTheWorkerCameBack() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(1)).startingAt(0).withWorkers("a")) {
            run.push("a", 7, 0, 1);
            run.advance(TrainingRun.LEASE);

            assertThat(run.push("a", 7, 0, 1))
                    .as("without a registered worker")
                    .isEqualTo(new Duplicate(new Applied(1, 0)));
            run.withWorkers("a");
            assertThat(run.push("a", 7, 0, 1)).isEqualTo(new Duplicate(new Applied(1, 0)));

            assertThat(run.training().highestSequence("a")).isEqualTo(7);
            assertThat(run.version()).isEqualTo(1);
        }
    }

    @Test
    void shouldTakeNumbersOutOfOrder() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(1)).startingAt(0).withWorkers("a")) {
            assertThat(run.push("a", 5, 0, 1)).isEqualTo(new Applied(1, 0));
            assertThat(run.push("a", 3, 1, 1)).isEqualTo(new Applied(2, 0));
            assertThat(run.push("a", 4, 2, 1)).isEqualTo(new Applied(3, 0));
            assertThat(run.push("a", 3, 3, 1)).isEqualTo(new Duplicate(new Applied(2, 0)));

            assertThat(run.training().highestSequence("a")).isEqualTo(5);
            assertThat(run.values()).containsExactly(-1.5f);
        }
    }

    @Test
    void shouldTakeARefusedPushThatIsRepeatedWhenItCan() {
        try (TrainingRun run = new TrainingRun(new TrainingMode.Async(1)).startingAt(0)) {
            assertThat(run.push("a", 1, 0, 1)).isInstanceOf(Refused.class);

            run.withWorkers("a");

            assertThat(run.push("a", 1, 0, 1)).isEqualTo(new Applied(1, 0));
        }
    }

    @Test
    void shouldRefuseANumberBelowTheWindow() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(1)).startingAt(0).withWorkers("a")) {
            for (int sequence = 1; sequence <= SequenceLedger.WINDOW + 1; sequence++) {
                run.push("a", sequence, 0, 1);
            }
            byte[] before = run.bytes();

            assertThat(run.push("a", 1, 0, 1))
                    .isEqualTo(new Refused(
                            Reason.SEQUENCE_TOO_OLD,
                            "worker 'a' pushed sequence 1; the server remembers the 64 highest, up to 65"));

            assertThat(run.bytes()).isEqualTo(before);
        }
    }
}

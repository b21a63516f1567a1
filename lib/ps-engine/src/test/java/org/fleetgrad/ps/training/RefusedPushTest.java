package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RefusedPushTest {

    private final TrainingRun run =
            new TrainingRun(new TrainingMode.Async(1)).startingAt(1, 2).withWorkers("a");
    private byte[] before = {};

    @BeforeEach
    void step() {
        run.push("a", 1, 0, 2, 4);
        before = run.bytes();
    }

    @AfterEach
    void shouldHaveChangedNothing() {
        assertThat(run.version()).isEqualTo(1);
        assertThat(run.bytes()).isEqualTo(before);
        assertThat(run.training().highestSequence("a")).isEqualTo(1);
        assertThat(run.training().statistics().state().samples()).isEqualTo(1);
        run.close();
    }

    @Test
    void shouldRefuseAnUnknownWorker() {
        refused(
                TrainingRun.metadata("b", 1, "g1", 1, 1),
                Reason.UNKNOWN_WORKER,
                "worker 'b' is not registered, or its lease of 30000 ms ran out");
    }

    @Test
    void shouldRefuseAWorkerWhoseLeaseRanOut() {
        run.advance(TrainingRun.LEASE);

        refused(
                TrainingRun.metadata("a", 2, "g1", 1, 1),
                Reason.UNKNOWN_WORKER,
                "worker 'a' is not registered, or its lease of 30000 ms ran out");
    }

    @Test
    void shouldRefuseAnotherGeneration() {
        refused(
                TrainingRun.metadata("a", 2, "g0", 1, 1),
                Reason.OTHER_GENERATION,
                "the gradient is of generation 'g0', the server's is 'g1': pull and go on");
    }

    @Test
    void shouldRefuseAVersionThatDoesNotExistYet() {
        refused(
                TrainingRun.metadata("a", 2, "g1", 2, 1),
                Reason.FUTURE_VERSION,
                "the gradient's base version is 2, the newest is 1");
    }

    @Test
    void shouldRefuseEverythingBeforeThereAreParameters() {
        try (TrainingRun empty = new TrainingRun(new TrainingMode.Async(1)).withWorkers("a")) {
            assertThat(empty.push("a", 1, 0, 1))
                    .isEqualTo(new Refused(
                            Reason.NO_PARAMETERS, "the server has no parameter set yet: put one to /putParameter"));

            assertThat(empty.published().version()).isEmpty();
            assertThat(empty.training().highestSequence("a")).isZero();
        }
    }

    private void refused(GradientMetadata metadata, Reason reason, String detail) {
        assertThat(run.push(metadata, 9, 9)).isEqualTo(new Refused(reason, detail));
        String label = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
        assertThat(run.training().statistics().state().pushes()).containsEntry(label, 1L);
    }
}

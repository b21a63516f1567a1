package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Synchronous training that waits for all but the backup workers. */
class BackupTrainingTest {

    private static final int ROUNDS = 30;

    /** Counts the gradients of steps. */
    private static final class Steps extends TrainingRun.Quiet {
        private final List<Integer> gradients = Collections.synchronizedList(new ArrayList<>());
        private final List<Long> staleness = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void stepped(ParameterVersion version, int ofGradients, long oldest) {
            gradients.add(ofGradients);
            staleness.add(oldest);
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 0", "3, 1", "4, 2", "2, 5"})
    void shouldStepWithTheFirstOfEachRoundAndRefuseTheRest(int wanted, int backups) {
        Random random = new Random(wanted + backups);
        Steps steps = new Steps();
        TrainingMode mode = new TrainingMode.Sync(0, backups);
        List<String> workers = new ArrayList<>();
        for (int i = 0; i < wanted + backups; i++) {
            workers.add("w" + i);
        }
        try (TrainingRun run = new TrainingRun(mode, 64, steps).startingAt(0);
                TrainingRun firstOnly = new TrainingRun(new TrainingMode.Sync(0)).startingAt(0)) {
            run.withWorkers(workers.toArray(String[]::new));
            for (int round = 0; round < ROUNDS; round++) {
                Collections.shuffle(workers, random);
                // The oracle: a run in which only the first workers are registered.
                workers.forEach(firstOnly.leases()::unregister);
                firstOnly.withWorkers(workers.subList(0, wanted).toArray(String[]::new));
                for (int i = 0; i < workers.size(); i++) {
                    float gradient = random.nextInt(100);
                    PushOutcome outcome = run.push(workers.get(i), round + 1, round, gradient);
                    if (i < wanted) {
                        assertThat(outcome)
                                .isEqualTo(i == wanted - 1 ? new Applied(round + 1, 0) : new Buffered(round));
                        assertThat(firstOnly.push(workers.get(i), round + 1, round, gradient))
                                .isEqualTo(outcome);
                    } else {
                        assertThat(outcome)
                                .isEqualTo(new Refused(
                                        Reason.STALE_GRADIENT,
                                        "the gradient's base version is %d, synchronous training takes %d only: pull and go on"
                                                .formatted(round, round + 1)));
                    }
                }
                assertThat(run.bytes()).isEqualTo(firstOnly.bytes());
            }
            assertThat(steps.gradients).hasSize(ROUNDS).containsOnly(wanted);
            assertThat(steps.staleness).containsOnly(0L);
        }
    }

    @Test
    void shouldWaitForOneIfThereAreMoreBackupsThanWorkers() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Sync(0, 5)).startingAt(0).withWorkers("a", "b")) {
            assertThat(run.push("b", 1, 0, 2)).isEqualTo(new Applied(1, 0));
            assertThat(run.values()).containsExactly(-1);
        }
    }

    @Test
    void shouldWaitForOneMoreWhenAnotherJoins() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Sync(0, 1)).startingAt(0).withWorkers("a", "b", "c")) {
            assertThat(run.push("a", 1, 0, 3)).isEqualTo(new Buffered(0));
            run.withWorkers("d");
            assertThat(run.push("b", 1, 0, 6)).isEqualTo(new Buffered(0));
            assertThat(run.push("c", 1, 0, 9)).isEqualTo(new Applied(1, 0));

            assertThat(run.push("a", 2, 1, 2)).isEqualTo(new Buffered(1));
            assertThat(run.push("b", 2, 1, 2)).isEqualTo(new Buffered(1));
            run.unregister("c");

            assertThat(run.version()).as("two of three are there").isEqualTo(2);
        }
    }
}

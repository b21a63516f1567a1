package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The applier under concurrent pushes of many threads. */
@Timeout(60)
class ApplierHammerTest {

    private static final int THREADS = 8;
    private static final int PUSHES = 2_000;

    private final ExecutorService requests = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void end() {
        requests.shutdownNow();
    }

    @Test
    void shouldAnswerEveryPushOfManyThreadsOnce() throws Exception {
        try (TrainingRun run = new TrainingRun(new TrainingMode.Async(1))
                .startingAt(0)
                .withWorkers("a", "b", "c", "d", "e", "f", "g", "h")) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                String worker = Character.toString('a' + thread);
                all.add(requests.submit(() -> {
                    int applied = 0;
                    for (int sequence = 1; sequence <= PUSHES; sequence++) {
                        applied += ApplierTurnTest.apply(run, worker, sequence) instanceof Applied ? 1 : 0;
                    }
                    return applied;
                }));
            }
            for (Future<Integer> applied : all) {
                assertThat(applied.get()).isEqualTo(PUSHES);
            }
            assertThat(run.values()).containsExactly(-TrainingRun.LEARNING_RATE * THREADS * PUSHES);
            assertThat(run.training().queued()).isZero();
        }
    }
}

package org.fleetgrad.ps.training;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.fleetgrad.ps.training.PushOutcome.Applied;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who the applier is: a request's thread or one of its own, and never two. */
@Timeout(60)
class ApplierTurnTest {

    private static final int THREADS = 8;
    private static final int PUSHES = 2_000;

    private final ExecutorService requests = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void end() {
        requests.shutdownNow();
    }

    /** Notes in which threads pushes are applied. */
    private static final class Threads extends TrainingRun.Quiet {
        private final List<Thread> seen = new CopyOnWriteArrayList<>();

        @Override
        public void pushed(PushOutcome outcome) {
            seen.add(Thread.currentThread());
        }
    }

    /** Says that it journals, and does not. */
    private static final class Journaling extends NoDurability {
        @Override
        public boolean isJournaling() {
            return true;
        }
    }

    /** The applier's own thread looks now and then by itself, and may be before a push; not before a hundred of them. */
    @Test
    void shouldApplyInTheRequestsThreadWhereNobodyIsBeforeIt() throws Exception {
        Threads threads = new Threads();
        Set<Thread> others = Thread.getAllStackTraces().keySet();
        try (TrainingRun run = run(threads, Durability.NONE)) {
            for (int sequence = 1; sequence <= 100; sequence++) {
                // Who is answered by it before its turn ends finds the turn taken, and would be served by it again.
                Awaitility.await()
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> isApplierParked(others));
                assertThat(apply(run, "a", sequence)).isInstanceOf(Applied.class);
            }

            assertThat(threads.seen).hasSize(100).contains(Thread.currentThread());
        }
    }

    private static boolean isApplierParked(Set<Thread> others) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("applier") && !others.contains(thread))
                .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void shouldApplyInAThreadOfItsOwnWhereAJournalIsWritten() throws Exception {
        Threads threads = new Threads();
        try (TrainingRun run = run(threads, new Journaling())) {
            assertThat(apply(run, "a", 1)).isEqualTo(new Applied(1, 0));

            assertThat(threads.seen)
                    .singleElement()
                    .satisfies(thread -> assertThat(thread.getName()).isEqualTo("applier"));
        }
    }

    @Test
    void shouldDoWhatWasQueuedDuringATurn() throws Exception {
        Gate gate = new Gate();
        try (TrainingRun run = run(gate, Durability.NONE)) {
            Future<PushOutcome> first = requests.submit(() -> apply(run, "a", 1));
            gate.awaitEntered();
            Future<PushOutcome> second = requests.submit(() -> apply(run, "b", 1));
            Awaitility.await().until(() -> run.training().applier().queued() == 1);
            assertThat(first.isDone() || second.isDone()).isFalse();

            gate.open();

            assertThat(first.get(30, SECONDS)).isEqualTo(new Applied(1, 0));
            assertThat(second.get(30, SECONDS)).isEqualTo(new Applied(2, 1));
        }
    }

    @Test
    void shouldAnswerEveryPushOfManyThreadsOnce() throws Exception {
        try (TrainingRun run = run(new TrainingRun.Quiet(), Durability.NONE)) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                String worker = Character.toString('a' + thread);
                all.add(requests.submit(() -> {
                    int applied = 0;
                    for (int sequence = 1; sequence <= PUSHES; sequence++) {
                        applied += apply(run, worker, sequence) instanceof Applied ? 1 : 0;
                    }
                    return applied;
                }));
            }
            for (Future<Integer> applied : all) {
                assertThat(applied.get()).isEqualTo(PUSHES);
            }
            assertThat(run.values()).containsExactly(-TrainingRun.LEARNING_RATE * THREADS * PUSHES);
            assertThat(run.training().applier().queued()).isZero();
        }
    }

    private static TrainingRun run(TrainingListener listener, Durability durability) {
        return new TrainingRun(
                        TrainingRun.plain(new TrainingMode.Async(1), 64), listener, durability, new ManualClock())
                .startingAt(0)
                .withWorkers("a", "b", "c", "d", "e", "f", "g", "h");
    }

    private static PushOutcome apply(TrainingRun run, String worker, long sequence) throws Exception {
        float[] one = run.training().buffers().take(1);
        one[0] = 1;
        return run.training()
                .applier()
                .apply(new Gradient(TrainingRun.metadata(worker, sequence, TrainingRun.GENERATION, 0, 1), one));
    }
}

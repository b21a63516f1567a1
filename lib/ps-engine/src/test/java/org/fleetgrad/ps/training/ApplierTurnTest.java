package org.fleetgrad.ps.training;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.run.TrainingListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which thread is the applier: a request thread or the applier's own, and never two at once. */
@Timeout(60)
class ApplierTurnTest {

    private final ExecutorService requests = Executors.newFixedThreadPool(2);

    @AfterEach
    void end() {
        requests.shutdownNow();
    }

    /** Records the threads in which pushes are applied. */
    private static final class Threads extends TrainingRun.Quiet {
        private final List<Thread> seen = new CopyOnWriteArrayList<>();

        @Override
        public void pushed(PushOutcome outcome) {
            seen.add(Thread.currentThread());
        }
    }

    /** Claims to journal, but does not. */
    private static final class Journaling extends TrainingStore.Noop {
        @Override
        public boolean isJournaling() {
            return true;
        }
    }

    /** The applier's own thread sleeps until it is woken, and never polls. */
    private static final class Asleep implements ApplierThread.Idle {
        private boolean isWaiting;
        private boolean isWoken;

        @Override
        public synchronized void await() throws InterruptedException {
            isWaiting = true;
            notifyAll();
            while (!isWoken) {
                wait();
            }
            isWoken = false;
            isWaiting = false;
        }

        @Override
        public synchronized void wake(Thread own) {
            isWoken = true;
            notifyAll();
        }

        /** Returns when the applier's own thread sleeps, and no call has woken it. */
        synchronized void awaitSleep() throws InterruptedException {
            while (!isWaiting || isWoken) {
                wait();
            }
        }
    }

    @Test
    void shouldApplyInTheRequestsThreadIfTheApplierIsIdle() throws Exception {
        Threads threads = new Threads();
        Asleep asleep = new Asleep();
        try (TrainingRun run = run(threads, TrainingStore.NONE, asleep)) {
            asleep.awaitSleep();
            for (int sequence = 1; sequence <= 100; sequence++) {
                assertThat(apply(run, "a", sequence)).isEqualTo(new Applied(sequence, sequence - 1));
            }

            assertThat(threads.seen).hasSize(100).containsOnly(Thread.currentThread());
        }
    }

    @Test
    void shouldApplyInAThreadOfItsOwnIfAJournalIsWritten() throws Exception {
        Threads threads = new Threads();
        try (TrainingRun run = run(threads, new Journaling(), ApplierThread.Idle.PARKED)) {
            assertThat(apply(run, "a", 1)).isEqualTo(new Applied(1, 0));

            assertThat(threads.seen)
                    .singleElement()
                    .satisfies(thread -> assertThat(thread.getName()).isEqualTo("applier"));
        }
    }

    @Test
    void shouldDoWhatWasQueuedDuringATurn() throws Exception {
        Gate gate = new Gate();
        try (TrainingRun run = run(gate, TrainingStore.NONE, ApplierThread.Idle.PARKED)) {
            Future<PushOutcome> first = requests.submit(() -> apply(run, "a", 1));
            gate.awaitEntered();
            Future<PushOutcome> second = requests.submit(() -> apply(run, "b", 1));
            Awaitility.await().until(() -> run.training().queued() == 1);
            assertThat(first.isDone() || second.isDone()).isFalse();

            gate.open();

            assertThat(first.get(60, SECONDS)).isEqualTo(new Applied(1, 0));
            assertThat(second.get(60, SECONDS)).isEqualTo(new Applied(2, 1));
        }
    }

    @Test
    void shouldLookOnceAtTheMembersForAnyNumberOfRegistrationsThatWait() throws Exception {
        Gate gate = new Gate();
        Set<String> joined = ConcurrentHashMap.newKeySet();
        TrainingStore watched = new TrainingStore.Noop() {
            @Override
            public void append(JournalEntry entry) {
                if (entry instanceof JournalEntry.Joined join) {
                    joined.add(join.worker().id());
                }
            }
        };
        try (TrainingRun run = run(gate, watched, ApplierThread.Idle.PARKED)) {
            Training training = run.training();
            Future<PushOutcome> first = requests.submit(() -> apply(run, "a", 1));
            gate.awaitEntered();
            for (int change = 0; change < 1000; change++) {
                training.membershipChanged();
            }
            assertThat(training.queued()).as("the queue is free for gradients").isEqualTo(1);
            gate.open();
            assertThat(first.get(60, SECONDS)).isEqualTo(new Applied(1, 0));
            Awaitility.await().until(() -> joined.contains("b"));

            run.withWorkers("c");
            training.membershipChanged();
            Awaitility.await().until(() -> joined.contains("c"));
        }
    }

    @Test
    void shouldLeaveAnotherClientsRollbackToTheApplier() throws Exception {
        Gate gate = new Gate();
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        TrainingStore watched = new TrainingStore.Noop() {
            @Override
            public TrainingState read(long checkpoint) throws IOException {
                seen.add(Thread.currentThread());
                throw new IOException("there is none");
            }
        };
        try (TrainingRun run = run(gate, watched, ApplierThread.Idle.PARKED)) {
            Future<PushOutcome> push = requests.submit(() -> apply(run, "a", 1));
            gate.awaitEntered();
            Future<?> rollback = requests.submit(() -> run.rollBack(1));
            Awaitility.await().until(() -> run.training().queued() == 1);

            gate.open();

            push.get(60, SECONDS);
            rollback.get(60, SECONDS);
            assertThat(seen)
                    .singleElement()
                    .satisfies(thread -> assertThat(thread.getName()).isEqualTo("applier"));
        }
    }

    private static TrainingRun run(TrainingListener listener, TrainingStore store, ApplierThread.Idle idle) {
        return new TrainingRun(TrainingRun.plain(new TrainingMode.Async(1), 64), listener, store, idle)
                .startingAt(0)
                .withWorkers("a", "b");
    }

    static PushOutcome apply(TrainingRun run, String worker, long sequence) throws Exception {
        float[] one = run.training().buffers().take(1);
        one[0] = 1;
        return TrainingRun.outcome(run.training()
                .push(new Gradient(TrainingRun.metadata(worker, sequence, TrainingRun.GENERATION, 0, 1), one))
                .get());
    }
}

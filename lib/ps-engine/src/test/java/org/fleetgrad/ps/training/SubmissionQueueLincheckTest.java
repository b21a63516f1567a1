package org.fleetgrad.ps.training;

import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.Interleavings;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.parameters.SnapshotMemory;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.run.Run;
import org.fleetgrad.testing.ManualClock;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests submit work while the applier takes turns and the server stops: all of it is answered, done once or not at all. */
public class SubmissionQueueLincheckTest {

    private static final int CAPACITY = 2;

    private final Turn applier = new Turn();
    private final SubmissionQueue queue = new SubmissionQueue(run(), Origin.Beginning.Empty::new, CAPACITY, applier);
    private final Queue<CompletableFuture<SubmissionResult<Integer>>> answers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicBoolean isBusy = new AtomicBoolean();
    private volatile boolean isBroken;

    /** The applier takes a turn when the scenario says so. */
    private static final class Turn implements Applier {

        private final AtomicBoolean isWoken = new AtomicBoolean();
        private SubmissionQueue.@Nullable Turns turns;

        @Override
        public void start(SubmissionQueue.Turns ofQueue) {
            turns = ofQueue;
            boolean unused = ofQueue.recover();
        }

        @Override
        public void wake() {
            isWoken.set(true);
        }

        void take() {
            try {
                if (isWoken.getAndSet(false)) {
                    turns().take();
                }
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        boolean hasMore() {
            return isWoken.get();
        }

        @Override
        public void close() {
            while (!turns().isIdle()) {
                wake();
                take();
            }
            turns().end(true);
        }

        private SubmissionQueue.Turns turns() {
            return Objects.requireNonNull(turns);
        }
    }

    public SubmissionQueueLincheckTest() {
        queue.start();
    }

    private static Run run() {
        return new Run(
                TrainingRun.plain(new TrainingMode.Async(1), CAPACITY),
                () -> "g",
                new PublishedParameters(Integer.MAX_VALUE, new SnapshotMemory(Long.MAX_VALUE, true)),
                new Leases(new ManualClock(), Duration.ofSeconds(30), 1, () -> "drawn"),
                new RunHistory(),
                new TrainingRun.Quiet(),
                BufferPool.ofFloats(1),
                TrainingStore.NONE);
    }

    private SubmissionResult<Integer> work() {
        isBroken |= !isBusy.compareAndSet(false, true);
        int count = done.incrementAndGet();
        isBusy.set(false);
        return new SubmissionResult.Done<>(count);
    }

    @Operation
    public void push() {
        answers.add(queue.runOrQueue(this::work));
    }

    @Operation
    public void submitLong() {
        answers.add(queue.submit(this::work, false));
    }

    @Operation(nonParallelGroup = "applier")
    public void takeTurn() {
        applier.take();
    }

    @Operation(nonParallelGroup = "applier", runOnce = true)
    public void stop() {
        queue.close();
    }

    @Validate
    public void requireAnswers() {
        // What was not done yet is done when the applier has its turn: it was woken.
        for (int turn = 0; turn <= CAPACITY && applier.hasMore(); turn++) {
            applier.take();
        }
        int answered = 0;
        for (CompletableFuture<SubmissionResult<Integer>> answer : answers) {
            if (!answer.isDone()) {
                throw new IllegalStateException("work has no answer, and nobody is to do it");
            }
            answered += answer.join() instanceof SubmissionResult.Done ? 1 : 0;
        }
        if (isBroken || answered != done.get()) {
            throw new IllegalStateException(done.get() + " times work was done, and answered " + answered + " times");
        }
    }

    @Test
    void shouldAnswerAllWorkAndDoItOnceByOneThreadAtATime() {
        Interleavings.checkInvariants(SubmissionQueueLincheckTest.class, 60);
    }
}

package org.fleetgrad.ps.training;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.run.Run;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bounded queue of submissions, and the lock under which it is drained. Only the thread that holds the lock changes
 * the run: it is the applier.
 *
 * <p>Submissions that are queued together are processed as one batch: one commit and one publication for all of them,
 * then their answers. If a commit fails, it is unknown what the disk holds, so nothing is processed until a restart
 * reads it.
 */
final class SubmissionQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SubmissionQueue.class);

    /** Maximum batch size. In a larger batch, the first submission would wait too long for its answer. */
    private static final int MAX_BATCH = 16;

    /** Maximum batches that a request thread drains before it returns to its own client. */
    private static final int MAX_BATCHES_PER_REQUEST = 4;

    private final Run run;
    private final Origin origin;
    private final int capacity;
    private final Applier applier;
    private final BlockingQueue<Submission<?>> queue;
    private final ReentrantLock applierLock = new ReentrantLock();
    private final CompletableFuture<Void> recovered = new CompletableFuture<>();
    private volatile boolean isClosing;
    private volatile boolean isOver;
    private volatile boolean isOpen;
    private volatile @Nullable String failure;

    /**
     * Work for the applier, and the future of its answer. The applier does the work first, and answers after the
     * commit.
     *
     * @param <T> the outcome of the work
     */
    private static final class Submission<T> {

        private final Callable<SubmissionResult<T>> work;
        private final boolean isBrief;
        private final CompletableFuture<SubmissionResult<T>> answer = new CompletableFuture<>();
        private @Nullable SubmissionResult<T> found;
        private @Nullable Throwable thrown;

        /**
         * @param isBrief whether the thread of any request may do it; other work may take long, such as writing a
         *     checkpoint
         */
        Submission(Callable<SubmissionResult<T>> work, boolean isBrief) {
            this.work = work;
            this.isBrief = isBrief;
        }

        /** Runs the work; completes the future later. */
        @SuppressWarnings("CatchAndPrintStackTrace")
        void run() {
            try {
                found = work.call();
            } catch (Throwable failure) {
                // Errors too: a push that gets no memory must fail its request, not leave it waiting forever.
                thrown = failure;
            }
        }

        /** Answers after the commit. */
        void complete() {
            if (thrown != null) {
                answer.completeExceptionally(thrown);
            } else {
                answer.complete(found);
            }
        }

        /** Answers when it is unknown whether the disk has it. */
        void completeNotDurable(String why) {
            answer.complete(new SubmissionResult.NotDurable<>(why));
        }

        /** Answers without running the work. */
        void refuse(String why) {
            answer.complete(new SubmissionResult.Busy<>(why));
        }
    }

    SubmissionQueue(Run run, Origin origin, int capacity, Applier applier) {
        this.run = run;
        this.origin = origin;
        this.capacity = capacity;
        this.applier = applier;
        this.queue = new ArrayBlockingQueue<>(capacity);
    }

    SubmissionQueue start() {
        applier.start(new Turns());
        return this;
    }

    /**
     * Queues work for the applier's own thread.
     *
     * @param isBrief whether the thread of any request may do it
     */
    <T> CompletableFuture<SubmissionResult<T>> submit(Callable<SubmissionResult<T>> call, boolean isBrief) {
        Submission<T> work = new Submission<>(call, isBrief);
        enqueue(work);
        applier.wake();
        return work.answer;
    }

    /** Does brief work in the calling thread if that may be the applier; else queues it. */
    <T> CompletableFuture<SubmissionResult<T>> runOrQueue(Callable<SubmissionResult<T>> call) {
        Submission<T> work = new Submission<>(call, true);
        enqueue(work);
        drain();
        return work.answer;
    }

    /** Queues a submission; if the queue is full or the server stops, refuses it at once. */
    private void enqueue(Submission<?> work) {
        if (isClosing) {
            work.refuse("the server is stopping");
        } else if (!queue.offer(work)) {
            work.refuse(
                    isClosing
                            ? "the server is stopping"
                            : "the queue is full: %d of %d submissions wait".formatted(capacity, capacity));
        } else if (isOver && queue.remove(work)) {
            work.refuse("the server is stopping");
        }
    }

    /**
     * Drains the queue in the calling thread, unless another thread holds the lock: that thread checks the queue again
     * after it unlocks. The applier's own thread drains what is left after the last round.
     */
    private void drain() {
        if (!isOpen) {
            applier.wake();
            return;
        }
        for (int round = 0; round < MAX_BATCHES_PER_REQUEST && isNextBrief(); round++) {
            if (!applierLock.tryLock()) {
                return;
            }
            try {
                drainBatch(false);
            } finally {
                applierLock.unlock();
            }
        }
        if (!queue.isEmpty()) {
            applier.wake();
        }
    }

    int queued() {
        return queue.size();
    }

    /** Returns a future that completes after recovery, or fails if recovery fails. */
    CompletableFuture<Void> recovered() {
        return recovered;
    }

    /** Returns why submissions are refused; empty while they are accepted. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** What the applier does itself, in turns. */
    final class Turns {

        /** Recovers the run; false if that failed, and nothing follows. */
        boolean recover() {
            return SubmissionQueue.this.recover();
        }

        /** Tells whether a turn would find nothing to do. */
        boolean isIdle() {
            return queue.isEmpty();
        }

        boolean isClosing() {
            return isClosing;
        }

        /** Processes one batch of the queue. */
        void take() throws InterruptedException {
            applierLock.lockInterruptibly();
            try {
                drainBatch(true);
            } finally {
                applierLock.unlock();
            }
        }

        /**
         * Ends the run, and refuses what is left in the queue.
         *
         * @param isComplete whether everything was processed, so that the last state may be kept
         */
        void end(boolean isComplete) {
            SubmissionQueue.this.end(isComplete);
        }
    }

    private boolean recover() {
        applierLock.lock();
        try {
            run.lifecycle().recover(origin);
            isOpen = true;
            recovered.complete(null);
            return true;
        } catch (Throwable unrecoverable) {
            failure = "the run could not be recovered: " + unrecoverable.getMessage();
            abandon();
            isOver = true;
            recovered.completeExceptionally(unrecoverable);
            return false;
        } finally {
            applierLock.unlock();
        }
    }

    private void end(boolean isComplete) {
        applierLock.lock();
        try {
            if (isComplete) {
                run.lifecycle().close(true);
            }
        } catch (IOException | RuntimeException unwritable) {
            LOG.error("the last state could not be kept", unwritable);
        } finally {
            isOver = true;
            for (Submission<?> left = queue.poll(); left != null; left = queue.poll()) {
                left.completeNotDurable("the server is stopping");
            }
            applierLock.unlock();
        }
    }

    private void abandon() {
        try {
            run.lifecycle().close(false);
        } catch (IOException | RuntimeException unclosed) {
            LOG.warn("the disk could not be released", unclosed);
        }
    }

    /** Tells whether the next submission is brief, such as a push: a request thread may run it for another client. */
    private boolean isNextBrief() {
        Submission<?> next = queue.peek();
        return next != null && next.isBrief;
    }

    /** Called under the lock, so no other thread removes the submission in between. */
    private @Nullable Submission<?> next(boolean isApplierThread) {
        return isApplierThread || isNextBrief() ? queue.poll() : null;
    }

    /**
     * Processes one batch of the queue with one commit, and then answers.
     *
     * @param isApplierThread whether this is the applier's own thread; any other thread runs brief submissions only
     */
    private void drainBatch(boolean isApplierThread) {
        if (isOver) {
            return;
        }
        List<Submission<?>> batch = new ArrayList<>();
        for (Submission<?> work = next(isApplierThread);
                work != null;
                work = batch.size() < MAX_BATCH ? next(isApplierThread) : null) {
            if (failure == null) {
                work.run();
            }
            batch.add(work);
        }
        if (!batch.isEmpty() && failure == null) {
            commitAndPublish();
        }
        String why = failure;
        batch.forEach(why == null ? Submission::complete : work -> work.completeNotDurable(why));
    }

    private void commitAndPublish() {
        try {
            run.commitAndPublish();
        } catch (IOException unknown) {
            failure =
                    "the disk did not confirm what was written to it (%s): the server takes nothing more until it is restarted"
                            .formatted(unknown.getMessage());
            LOG.error(failure, unknown);
        } catch (RuntimeException | Error bug) {
            failure = "the newest version could not be made (%s): the server takes nothing more until it is restarted"
                    .formatted(bug);
            LOG.error(failure, bug);
        }
    }

    /** Refuses new submissions, and returns when everything in the queue is done and committed. */
    @Override
    public void close() {
        isClosing = true;
        applier.close();
    }
}

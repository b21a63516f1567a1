package org.fleetgrad.ps.training;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.run.Lifecycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bounded queue of submissions, and the lock under which it is drained. Only the thread that holds the lock changes the
 * run: it is the applier.
 *
 * <p>Submissions that are queued together are processed as one batch: one commit and one publication for all of them, then
 * their answers. If a commit fails, it is unknown what the disk holds, so nothing is processed until a restart reads it.
 */
final class SubmissionQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SubmissionQueue.class);

    /** Maximum batch size. In a larger batch, the first submission would wait too long for its answer. */
    private static final int MAX_BATCH = 16;

    /** Maximum batches that a request thread drains before it returns to its own client. */
    private static final int MAX_BATCHES_PER_REQUEST = 4;

    private static final long CLOSE_TIMEOUT_MS = 120_000;

    private final Lifecycle lifecycle;
    private final Origin origin;
    private final int capacity;
    private final Idle idle;
    private final BlockingQueue<Submission<?>> queue;
    private final ReentrantLock applierLock = new ReentrantLock();
    private final Thread own = new Thread(this::run, "applier");
    private final CompletableFuture<Void> recovered = new CompletableFuture<>();
    private volatile boolean isClosing;
    private volatile boolean isOver;
    private volatile boolean isOpen;
    private volatile @Nullable String failure;

    SubmissionQueue(Lifecycle lifecycle, Origin origin, int capacity, Idle idle) {
        this.lifecycle = lifecycle;
        this.origin = origin;
        this.capacity = capacity;
        this.idle = idle;
        this.queue = new ArrayBlockingQueue<>(capacity);
        own.setDaemon(true);
    }

    SubmissionQueue start() {
        own.start();
        return this;
    }

    /** Queues a submission; if the queue is full or the server stops, refuses it at once. */
    void enqueue(Submission<?> work) {
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

    /** Wakes the applier's own thread to drain the queue. */
    void wake() {
        idle.wake(own);
    }

    /**
     * Drains the queue in the calling thread, unless another thread holds the lock: that thread checks the queue again after
     * it unlocks. The applier's own thread drains what is left after the last round.
     */
    void drain() {
        if (!isOpen) {
            wake();
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
            wake();
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

    private void run() {
        if (!recover()) {
            return;
        }
        boolean isComplete = false;
        try {
            while (!isClosing || !queue.isEmpty()) {
                await();
                applierLock.lockInterruptibly();
                try {
                    drainBatch(true);
                } finally {
                    applierLock.unlock();
                }
            }
            isComplete = true;
        } catch (InterruptedException stopped) {
            LOG.warn("the applier was stopped in the middle of its work");
        }
        end(isComplete);
    }

    private boolean recover() {
        applierLock.lock();
        try {
            lifecycle.recover(origin);
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

    private void await() throws InterruptedException {
        if (queue.isEmpty() && !isClosing) {
            idle.await();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private void end(boolean isComplete) {
        applierLock.lock();
        try {
            if (isComplete) {
                lifecycle.close(true);
            }
        } catch (IOException | RuntimeException unwritable) {
            LOG.error("the last state could not be kept", unwritable);
        } finally {
            isOver = true;
            for (Submission<?> left = queue.poll(); left != null; left = queue.poll()) {
                left.lose("the server is stopping");
            }
            applierLock.unlock();
        }
    }

    private void abandon() {
        try {
            lifecycle.close(false);
        } catch (IOException | RuntimeException unclosed) {
            LOG.warn("the disk could not be released", unclosed);
        }
    }

    /** Tells whether the next submission is brief, such as a push: a request thread may run it for another client. */
    private boolean isNextBrief() {
        Submission<?> next = queue.peek();
        return next != null && next.isBrief();
    }

    /** Called under the lock, so no other thread removes the submission in between. */
    private @Nullable Submission<?> next(boolean isOwn) {
        return isOwn || isNextBrief() ? queue.poll() : null;
    }

    /**
     * Processes one batch of the queue with one commit, and then answers.
     *
     * @param isOwn whether this is the applier's own thread; any other thread runs brief submissions only
     */
    private void drainBatch(boolean isOwn) {
        if (isOver) {
            return;
        }
        List<Submission<?>> batch = new ArrayList<>();
        for (Submission<?> work = next(isOwn); work != null; work = batch.size() < MAX_BATCH ? next(isOwn) : null) {
            if (failure == null) {
                work.run();
            }
            batch.add(work);
        }
        if (!batch.isEmpty() && failure == null) {
            commitAndPublish();
        }
        String why = failure;
        batch.forEach(why == null ? Submission::complete : work -> work.lose(why));
    }

    private void commitAndPublish() {
        try {
            lifecycle.commitAndPublish();
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
        wake();
        try {
            own.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        own.interrupt();
    }
}

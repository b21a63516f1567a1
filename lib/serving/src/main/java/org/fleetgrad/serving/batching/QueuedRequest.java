package org.fleetgrad.serving.batching;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its batch: with a thread of its own, or with a promise. Guarded by the batcher's lock, except for
 * the promise.
 */
final class QueuedRequest {

    final WantedVersion wanted;
    final Images images;
    final long sinceNanos;

    private final @Nullable Condition wakeup;

    private final @Nullable CompletableFuture<PredictionOutcome> promise;
    private @Nullable PredictionOutcome outcome;
    private @Nullable Throwable failure;

    private QueuedRequest(
            WantedVersion wanted,
            Images images,
            long sinceNanos,
            @Nullable Condition wakeup,
            @Nullable CompletableFuture<PredictionOutcome> promise) {
        this.wanted = wanted;
        this.images = images;
        this.sinceNanos = sinceNanos;
        this.wakeup = wakeup;
        this.promise = promise;
    }

    static QueuedRequest withThread(WantedVersion wanted, Images images, long sinceNanos, Condition wakeup) {
        return new QueuedRequest(wanted, images, sinceNanos, wakeup, null);
    }

    static QueuedRequest withPromise(
            WantedVersion wanted, Images images, long sinceNanos, CompletableFuture<PredictionOutcome> promise) {
        return new QueuedRequest(wanted, images, sinceNanos, null, promise);
    }

    /** Returns whether both may be in one batch: one version computes it, from images alike. */
    boolean canShareBatchWith(QueuedRequest other) {
        return wanted.equals(other.wanted) && images.isLike(other.images);
    }

    boolean hasThread() {
        return wakeup != null;
    }

    /** Wakes the waiting thread; returns whether there is one. */
    boolean wakeThread() {
        if (wakeup == null) {
            return false;
        }
        wakeup.signal();
        return true;
    }

    /** Waits once; the caller re-checks its condition, because of spurious wakeups. */
    @SuppressWarnings("WaitNotInLoop")
    void await() {
        if (wakeup != null) {
            wakeup.awaitUninterruptibly();
        }
    }

    void complete(PredictionOutcome with) {
        outcome = with;
        boolean unused = wakeThread();
    }

    void fail(Throwable because) {
        failure = because;
        boolean unused = wakeThread();
        failPromise(because);
    }

    void completePromise(PredictionOutcome with) {
        if (promise != null) {
            promise.complete(with);
        }
    }

    void failPromise(Throwable because) {
        if (promise != null) {
            promise.completeExceptionally(because);
        }
    }

    boolean isDone() {
        return outcome != null || failure != null;
    }

    /** Returns the outcome; throws what the computation threw, to each request of its batch. */
    PredictionOutcome outcome() {
        if (outcome == null) {
            throw new IllegalStateException("the batch of this request was not computed", failure);
        }
        return outcome;
    }
}

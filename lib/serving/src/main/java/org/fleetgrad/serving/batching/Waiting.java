package org.fleetgrad.serving.batching;

import java.util.concurrent.locks.Condition;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.Outcome;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;

/** A request that waits for its batch. Guarded by the batcher's lock. */
final class Waiting {

    final WantedVersion wanted;
    final Images images;
    final long sinceNanos;
    /** Wakes the thread of this request. */
    final Condition turn;

    private @Nullable Outcome outcome;
    private @Nullable Throwable failure;

    Waiting(WantedVersion wanted, Images images, long sinceNanos, Condition turn) {
        this.wanted = wanted;
        this.images = images;
        this.sinceNanos = sinceNanos;
        this.turn = turn;
    }

    /** Tells whether one batch may have both: one version computes it, from images of one shape. */
    boolean goesWith(Waiting other) {
        return wanted.equals(other.wanted) && images.shape().equals(other.images.shape());
    }

    void end(Outcome with) {
        outcome = with;
        turn.signal();
    }

    void fail(Throwable because) {
        failure = because;
        turn.signal();
    }

    boolean isOver() {
        return outcome != null || failure != null;
    }

    /** Returns the outcome; throws what the computation threw, to each request of its batch. */
    Outcome outcome() {
        if (outcome == null) {
            throw new IllegalStateException("the batch of this request was not computed", failure);
        }
        return outcome;
    }
}

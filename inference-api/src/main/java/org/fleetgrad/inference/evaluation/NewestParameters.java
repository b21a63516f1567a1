package org.fleetgrad.inference.evaluation;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.fleetgrad.client.PullResult.Pulled;
import org.jspecify.annotations.Nullable;

/**
 * Passes the newest parameter set from the follower's thread to the evaluator's. Older ones are dropped, and so is one that was
 * evaluated: a large network's set must not stay in memory unused.
 */
public final class NewestParameters {

    private final AtomicReference<@Nullable Pulled> newest = new AtomicReference<>();

    public void put(Pulled pulled) {
        newest.set(pulled);
    }

    /** Returns the newest parameter set, unless it was dropped, without removing it. */
    public Optional<Pulled> get() {
        return Optional.ofNullable(newest.get());
    }

    /** Drops a parameter set, unless there is a newer one. */
    public void drop(Pulled pulled) {
        newest.compareAndSet(pulled, null);
    }
}

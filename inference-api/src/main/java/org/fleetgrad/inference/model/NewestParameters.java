package org.fleetgrad.inference.model;

import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.jspecify.annotations.Nullable;

/** Passes the newest parameter set from the follower's thread to the evaluator's; older ones are dropped. */
public final class NewestParameters {

    private volatile @Nullable Pulled newest;

    /** Replaces the parameter set. */
    public void put(Pulled pulled) {
        newest = pulled;
    }

    /** Returns the newest parameter set and keeps it. */
    public Optional<Pulled> get() {
        return Optional.ofNullable(newest);
    }
}

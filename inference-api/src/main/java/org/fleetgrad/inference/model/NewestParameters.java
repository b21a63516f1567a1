package org.fleetgrad.inference.model;

import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.jspecify.annotations.Nullable;

/** Hands the newest parameter set from the thread that follows to the one that evaluates; older ones are forgotten. */
public final class NewestParameters {

    private volatile @Nullable Pulled newest;

    /** Replaces what was kept. */
    public void put(Pulled pulled) {
        newest = pulled;
    }

    /** Returns the newest, which stays. */
    public Optional<Pulled> get() {
        return Optional.ofNullable(newest);
    }
}

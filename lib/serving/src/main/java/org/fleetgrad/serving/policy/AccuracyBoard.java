package org.fleetgrad.serving.policy;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps the newest held-out accuracy, from any evaluator. Thread-safe. */
public final class AccuracyBoard {

    private final AtomicReference<@Nullable HeldOutAccuracy> newest = new AtomicReference<>();

    /** Takes an accuracy, unless that of a newer version of the same generation is known already. */
    public void offer(HeldOutAccuracy offered) {
        newest.accumulateAndGet(
                offered, (present, next) -> present != null && isNewer(present, offered) ? present : next);
    }

    private static boolean isNewer(HeldOutAccuracy present, HeldOutAccuracy offered) {
        return present.version().generation().equals(offered.version().generation())
                && present.version().version() > offered.version().version();
    }

    /** Returns the newest accuracy of a generation. */
    public Optional<HeldOutAccuracy> newest(String generation) {
        return Optional.ofNullable(newest.get())
                .filter(known -> known.version().generation().equals(generation));
    }
}

package org.fleetgrad.ps.step;

import java.util.Set;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.settings.TrainingMode;

/** Decides when the pending gradients make a step. Confined to the applier. */
public final class Barrier {

    private final TrainingMode mode;
    private final Leases leases;

    /** Makes the barrier of a mode; it waits for the workers with a running lease. */
    public Barrier(TrainingMode mode, Leases leases) {
        this.mode = mode;
        this.leases = leases;
    }

    /** Returns the workers with a running lease. */
    public Set<String> live() {
        return leases.liveIds();
    }

    /** Tells whether the gradients of {@code pending} and one more of {@code worker} make a step. */
    public boolean isReachedWith(PendingStep pending, String worker, long samples) {
        if (mode instanceof TrainingMode.Sync sync) {
            Set<String> live = pending.awaited(leases.liveIds());
            boolean isNew = live.contains(worker) && !pending.has(worker);
            return pending.contributorsAmong(live) + (isNew ? 1 : 0) >= sync.wanted(live.size());
        }
        return isReached(pending.gradients() + 1, pending.samples() + samples);
    }

    /** Tells whether the gradients of {@code pending} make a step without another one, as after a worker left or passed. */
    public boolean isReachedBy(PendingStep pending) {
        Set<String> all = leases.liveIds();
        boolean isPassed = pending.isPassedByAnyOf(all);
        if (pending.isEmpty() && !isPassed) {
            return false;
        }
        Set<String> live = pending.awaited(all);
        if (live.isEmpty()) {
            // No worker is missing. If all have passed, there may be no gradient, and only the version moves.
            return true;
        }
        if (pending.isEmpty()) {
            return false;
        }
        if (mode instanceof TrainingMode.Sync sync) {
            return pending.contributorsAmong(live) >= sync.wanted(live.size());
        }
        return isReached(pending.gradients(), pending.samples());
    }

    private boolean isReached(int gradients, long samples) {
        if (mode instanceof TrainingMode.SyncBySamples bySamples) {
            return samples >= bySamples.samplesPerStep();
        }
        return !(mode instanceof TrainingMode.Async async) || async.step().isReached(gradients, samples);
    }
}

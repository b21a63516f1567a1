package org.fleetgrad.ps.training;

import java.util.Set;
import org.fleetgrad.ps.membership.Leases;

/** Tells when the gradients that wait make a step. */
final class Barrier {

    private final TrainingMode mode;
    private final Leases leases;

    Barrier(TrainingMode mode, Leases leases) {
        this.mode = mode;
        this.leases = leases;
    }

    /** Tells whether the gradients of {@code pending} and one more of {@code worker} make a step. */
    boolean isReachedWith(PendingStep pending, String worker, long samples) {
        if (mode instanceof TrainingMode.Sync sync) {
            Set<String> live = pending.awaited(leases.liveIds());
            boolean isNew = live.contains(worker) && !pending.has(worker);
            return pending.contributorsAmong(live) + (isNew ? 1 : 0) >= sync.wanted(live.size());
        }
        return isReached(pending.gradients() + 1, pending.samples() + samples);
    }

    /** Tells whether the gradients of {@code pending} make a step among the workers that are left. */
    boolean isReachedBy(PendingStep pending) {
        Set<String> all = leases.liveIds();
        boolean isPassed = pending.isPassedByAnyOf(all);
        if (pending.isEmpty() && !isPassed) {
            return false;
        }
        Set<String> live = pending.awaited(all);
        if (live.isEmpty()) {
            // Nobody is left to wait for; where all have passed there may be no gradient, and the version moves alone.
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

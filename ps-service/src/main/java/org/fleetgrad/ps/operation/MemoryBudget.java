package org.fleetgrad.ps.operation;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.ps.settings.PendingLimit;
import org.fleetgrad.ps.settings.TrainingSettings;

/**
 * Says whether a run of a parameter set fits into the memory of this server, before it begins.
 *
 * @param training  how the run trains
 * @param pending   the bound of gradients on their way
 * @param isKeeping whether checkpoints are written
 * @param heap      bytes of the largest heap
 * @param snapshots most bytes of versions that are alive
 */
public record MemoryBudget(
        Supplier<TrainingSettings> training, PendingLimit pending, boolean isKeeping, long heap, long snapshots) {

    private static final double MEGABYTE = 1e6;

    /**
     * Returns what a parameter set of so many values takes.
     *
     * @throws IllegalStateException when it does not fit; the message has the numbers
     */
    public RunMemory require(long values) {
        Optional<String> refusal = refusal(values);
        if (refusal.isPresent()) {
            throw new IllegalStateException(refusal.get());
        }
        return of(values);
    }

    /** Says why a parameter set of so many values does not fit; empty if it does. */
    public Optional<String> refusal(long values) {
        RunMemory needed = of(values);
        if (needed.leastHeap() <= heap && needed.leastSnapshots() <= snapshots) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "a run of %d values does not fit: it takes at least %.1f MB of heap (parameters %.1f, optimizer %.1f, staleness rule %.1f, two gradients %.1f, copy for a checkpoint %.1f), and the heap may grow to %.1f MB; three served versions take %.1f MB outside it, and %.1f MB are there: give the server more memory, or a smaller ps.staleness.history",
                values,
                needed.leastHeap() / MEGABYTE,
                needed.parameters() / MEGABYTE,
                needed.optimizer() / MEGABYTE,
                needed.rule() / MEGABYTE,
                2 * needed.parameters() / MEGABYTE,
                needed.checkpoint() / MEGABYTE,
                heap / MEGABYTE,
                needed.leastSnapshots() / MEGABYTE,
                snapshots / MEGABYTE));
    }

    private RunMemory of(long values) {
        return RunMemory.of(values, training.get(), pending, isKeeping);
    }
}

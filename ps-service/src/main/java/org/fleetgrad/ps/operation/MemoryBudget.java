package org.fleetgrad.ps.operation;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.settings.PendingLimit;
import org.fleetgrad.ps.settings.TrainingSettings;

/**
 * Estimates the memory that a run needs, before it begins. Refuses a run only if it cannot work at all, and warns of a run
 * that may get too large.
 *
 * @param training  how the run trains
 * @param pending   the bound on gradients in flight
 * @param isDurable whether checkpoints are written
 * @param heap      bytes of the largest heap
 * @param snapshots maximum bytes of live versions that the machine allows
 * @param stated    that bound, if the user set it
 */
public record MemoryBudget(
        Supplier<TrainingSettings> training,
        PendingLimit pending,
        boolean isDurable,
        long heap,
        long snapshots,
        OptionalLong stated) {

    private static final double MEGABYTE = 1e6;

    private static final int HEAP_OF_SERVICE_MB = 200;

    /** The memory that a run needs, for its log line. */
    public record Note(String text, boolean isWarning) {}

    /**
     * Describes the memory that a parameter set of so many values needs.
     *
     * @throws IllegalStateException if it cannot work; the message has the numbers
     */
    public Note require(ValueCount values) {
        Optional<String> refusal = refusal(values);
        if (refusal.isPresent()) {
            throw new IllegalStateException(refusal.get());
        }
        RunMemory needed = of(values);
        String all = needed.describe(heap, stated.orElse(snapshots));
        if (needed.exceeds(heap)) {
            return new Note(
                    "%s: give it more, as -Xmx%dm".formatted(all, needed.heap() / 1_000_000 + HEAP_OF_SERVICE_MB),
                    true);
        }
        if (stated.isEmpty() && needed.minimumSnapshots() > snapshots) {
            return new Note(
                    String.format(
                            Locale.ROOT,
                            "%s, and the machine has %.1f MB for them: give it more",
                            all,
                            snapshots / MEGABYTE),
                    true);
        }
        return new Note(all, false);
    }

    /** Returns why a parameter set of so many values cannot be trained here; empty if it can. */
    public Optional<String> refusal(ValueCount values) {
        RunMemory needed = of(values);
        if (needed.minimumHeap() > heap) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "a run of %d values takes at least %.1f MB of heap (parameters %.1f, optimizer %.1f, staleness rule %.1f, a gradient or a copy for a checkpoint in addition), and the heap may grow to %.1f MB: give the server more, as -Xmx%dm",
                    values.all(),
                    needed.minimumHeap() / MEGABYTE,
                    needed.parameters() / MEGABYTE,
                    needed.optimizer() / MEGABYTE,
                    needed.rule() / MEGABYTE,
                    heap / MEGABYTE,
                    needed.heap() / 1_000_000 + HEAP_OF_SERVICE_MB));
        }
        if (stated.isPresent() && needed.minimumSnapshots() > stated.getAsLong()) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "ps.snapshot-memory is %d bytes, and three versions of %d values take %d: write more, or leave it out",
                    stated.getAsLong(),
                    values.all(),
                    needed.minimumSnapshots()));
        }
        return Optional.empty();
    }

    /**
     * Tells whether a parameter set of so many bytes may arrive while one of {@code values} trains: without it, the run goes on.
     */
    public boolean hasRoomFor(long bytes, ValueCount values) {
        return of(values).minimumHeap() + RunMemory.ofArriving(bytes) <= heap;
    }

    private RunMemory of(ValueCount values) {
        return RunMemory.of(values, training.get(), pending, isDurable);
    }
}

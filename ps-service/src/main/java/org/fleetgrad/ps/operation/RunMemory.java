package org.fleetgrad.ps.operation;

import java.util.Locale;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.settings.PendingLimit;
import org.fleetgrad.ps.settings.TrainingSettings;

/**
 * The memory that a run needs, in bytes. It is derived from the size of the parameter set and the settings: an operator can
 * compare it with the machine before the first gradient arrives.
 *
 * @param parameters the parameters that are stepped
 * @param optimizer  the optimizer's arrays
 * @param rule       the staleness rule's arrays that all workers share
 * @param history    values of earlier versions, for a staleness rule that needs them, when all of them are stored
 * @param gradients  maximum of gradients that are being read or pending
 * @param checkpoint the copy of the state that is written to the disk while the training continues; 0 if none is
 * @param best       the parameters of the best evaluated version while they arrive; 0 if none is kept
 * @param perWorker   memory that each worker adds
 */
public record RunMemory(
        long parameters,
        long optimizer,
        long rule,
        long history,
        long gradients,
        long checkpoint,
        long best,
        PerWorker perWorker) {

    private static final double MEGABYTE = 1e6;

    /** The newest version, and the next two: with less memory no reader could be admitted. */
    private static final int MIN_SNAPSHOTS = 3;

    /**
     * The memory that one worker adds, in bytes.
     *
     * @param rule   its array of the staleness rule
     * @param pending   its gradient, stored until a synchronous step of the median, the trimmed mean or Krum
     * @param staged its gradient, while another server decides about it
     */
    public record PerWorker(long rule, long pending, long staged) {}

    /**
     * Computes the memory of a parameter set of so many values. Optimizer, staleness rule and gradients have the trainable ones
     * only.
     *
     * @param isDurable whether checkpoints are written
     */
    public static RunMemory of(ValueCount values, TrainingSettings settings, PendingLimit pending, boolean isDurable) {
        long bytes = Float.BYTES * values.trainable();
        long all = Float.BYTES * values.all();
        // If some are frozen, the trainable ones have an array of their own.
        long parameters = values.trainable() == values.all() ? all : all + bytes;
        boolean isAhead = settings.rule() instanceof StalenessRule.LookAhead;
        // These rules store the momentum instead of the optimizer.
        boolean isRulesMomentum = isAhead || settings.rule() instanceof StalenessRule.LookAheadSlim;
        long optimizer = isRulesMomentum ? 0 : settings.optimizer().bufferCount() * bytes;
        long sum = isAhead ? bytes : 0;
        long served = isAhead ? bytes : 0;
        long averages = settings.rule() instanceof StalenessRule.GapAware ? averages(settings.optimizer()) * bytes : 0;
        long history = settings.rule().needsBase() ? settings.history() * bytes : 0;
        return new RunMemory(
                parameters,
                optimizer,
                sum + served + averages,
                history,
                // One gradient is admitted however large it is, and a second one may be pending.
                Math.max(2 * bytes, Math.min(pending.of(bytes), settings.queueCapacity() * bytes)),
                isDurable ? all + optimizer + sum + averages + history : 0,
                isDurable ? ofArriving(all) : 0,
                new PerWorker(
                        settings.rule().needsArrayOfWorker() ? bytes : 0,
                        settings.mode().aggregation().needsEach() ? bytes : 0,
                        bytes));
    }

    /** Returns the memory of a set of so many bytes that arrives: the array that holds it grows by copies. */
    static long ofArriving(long bytes) {
        return 2 * bytes;
    }

    private static int averages(OptimizerSettings optimizer) {
        return optimizer instanceof AdamWSettings ? 2 : 1;
    }

    /** Returns the maximum bytes of the heap, without those of the workers. */
    public long heap() {
        return parameters + optimizer + rule + history + gradients + checkpoint + best;
    }

    /** Returns the minimum heap for a run, in bytes: one gradient, one version of the history, and nothing temporary. */
    public long minimumHeap() {
        // A run begins with a checkpoint, which is a copy of its state.
        long firstCheckpoint = checkpoint == 0 ? 0 : state() + checkpoint - history;
        return Math.max(state() + base() + parameters, firstCheckpoint);
    }

    private long state() {
        return parameters + optimizer + rule;
    }

    /** One version of the history. */
    private long base() {
        return Math.min(history, parameters);
    }

    /** Returns the minimum bytes of versions: with less, readers and steps would block each other. */
    public long minimumSnapshots() {
        return MIN_SNAPSHOTS * parameters;
    }

    /** Tells whether a heap of so many bytes is too small for all of it. */
    public boolean exceeds(long heapBytes) {
        return heap() > heapBytes;
    }

    /**
     * Describes the needed and the available memory in a few sentences.
     *
     * @param heapBytes     of the largest heap
     * @param snapshotBytes of all versions at once
     */
    public String describe(long heapBytes, long snapshotBytes) {
        return String.format(
                Locale.ROOT,
                "the run takes up to %.1f MB of heap (parameters %.1f, optimizer %.1f, staleness rule %.1f, history %.1f, gradients on their way %.1f, copy for a checkpoint %.1f, best version on its way %.1f), and the heap may grow to %.1f MB. Each worker may add %.1f MB (staleness rule %.1f, a gradient that waits for the step %.1f) and, with several servers, %.1f MB for a staged gradient. Versions that are served take up to %.1f MB outside the heap, at least %.1f MB",
                heap() / MEGABYTE,
                parameters / MEGABYTE,
                optimizer / MEGABYTE,
                rule / MEGABYTE,
                history / MEGABYTE,
                gradients / MEGABYTE,
                checkpoint / MEGABYTE,
                best / MEGABYTE,
                heapBytes / MEGABYTE,
                (perWorker.rule + perWorker.pending) / MEGABYTE,
                perWorker.rule / MEGABYTE,
                perWorker.pending / MEGABYTE,
                perWorker.staged / MEGABYTE,
                Math.max(snapshotBytes, minimumSnapshots()) / MEGABYTE,
                minimumSnapshots() / MEGABYTE);
    }
}

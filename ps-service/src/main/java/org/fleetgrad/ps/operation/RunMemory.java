package org.fleetgrad.ps.operation;

import java.util.Locale;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.ps.settings.PendingLimit;
import org.fleetgrad.ps.settings.TrainingSettings;

/**
 * The memory that a run takes, in bytes. It follows from the size of the parameter set: an operator can compare it with
 * the machine before the first gradient comes.
 *
 * @param parameters the parameters that are stepped
 * @param optimizer  the optimizer's arrays
 * @param rule       values of earlier versions, for a staleness rule that needs them
 * @param gradients  gradients that are read or wait; the most that are let in
 * @param checkpoint the copy of the state that is written to the disk while the training goes on; 0 if none is
 * @param outside    two snapshots outside the heap; each version that a slow reader holds adds one
 */
public record RunMemory(long parameters, long optimizer, long rule, long gradients, long checkpoint, long outside) {

    private static final double MEGABYTE = 1e6;

    /** The newest version, the next one, and one that a reader holds. */
    private static final int SNAPSHOTS = 3;

    /**
     * Computes the memory of a parameter set of so many values.
     *
     * @param isKeeping whether checkpoints are written
     */
    public static RunMemory of(long values, TrainingSettings settings, PendingLimit pending, boolean isKeeping) {
        long bytes = Float.BYTES * values;
        long optimizer = arrays(settings.optimizer()) * bytes;
        long rule = settings.rule().needsBase() ? settings.history() * bytes : 0;
        return new RunMemory(
                bytes,
                optimizer,
                rule,
                // One gradient is let in however large it is, and a second one may wait for the step.
                Math.max(2 * bytes, Math.min(pending.of(bytes), settings.queueCapacity() * bytes)),
                isKeeping ? bytes + optimizer + rule : 0,
                2 * bytes);
    }

    private static int arrays(OptimizerSettings optimizer) {
        if (optimizer instanceof SgdSettings sgd) {
            return sgd.momentum() == 0 ? 0 : 1;
        }
        boolean isAmsgrad =
                optimizer instanceof AdamSettings adam ? adam.amsgrad() : ((AdamWSettings) optimizer).amsgrad();
        return isAmsgrad ? 3 : 2;
    }

    /** Returns the bytes of the heap. */
    public long heap() {
        return parameters + optimizer + rule + gradients + checkpoint;
    }

    /** Returns the bytes of the heap without which no step can be made: two gradients, in place of all that are let in. */
    public long leastHeap() {
        return heap() - gradients + 2 * parameters;
    }

    /** Returns the bytes of the versions without which readers and steps would stop each other. */
    public long leastSnapshots() {
        return SNAPSHOTS * parameters;
    }

    /** Tells whether a heap of so many bytes is too small. */
    public boolean exceeds(long heapBytes) {
        return heap() > heapBytes;
    }

    /** Describes it in a sentence, beside the largest heap. */
    public String describe(long heapBytes) {
        return String.format(
                Locale.ROOT,
                "the run takes up to %.1f MB of heap (parameters %.1f, optimizer %.1f, staleness rule %.1f, gradients on their way %.1f, copy for a checkpoint %.1f) and %.1f MB outside it; the heap may grow to %.1f MB",
                heap() / MEGABYTE,
                parameters / MEGABYTE,
                optimizer / MEGABYTE,
                rule / MEGABYTE,
                gradients / MEGABYTE,
                checkpoint / MEGABYTE,
                outside / MEGABYTE,
                heapBytes / MEGABYTE);
    }
}

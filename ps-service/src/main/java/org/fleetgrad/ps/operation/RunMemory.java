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
 * @param outside    two snapshots outside the heap; each version that a slow reader holds adds one
 */
public record RunMemory(long parameters, long optimizer, long rule, long gradients, long outside) {

    private static final double MEGABYTE = 1e6;

    /** Computes the memory of a parameter set of so many values. */
    public static RunMemory of(long values, TrainingSettings settings, PendingLimit pending) {
        long bytes = Float.BYTES * values;
        return new RunMemory(
                bytes,
                arrays(settings.optimizer()) * bytes,
                settings.rule().needsBase() ? settings.history() * bytes : 0,
                // One gradient is let in however large it is, and a second one may wait for the step.
                Math.max(2 * bytes, Math.min(pending.of(bytes), settings.queueCapacity() * bytes)),
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
        return parameters + optimizer + rule + gradients;
    }

    /** Tells whether a heap of so many bytes is too small. */
    public boolean exceeds(long heapBytes) {
        return heap() > heapBytes;
    }

    /** Describes it in a sentence, beside the largest heap. */
    public String describe(long heapBytes) {
        return String.format(
                Locale.ROOT,
                "the run takes up to %.1f MB of heap (parameters %.1f, optimizer %.1f, staleness rule %.1f, gradients on their way %.1f) and %.1f MB outside it; the heap may grow to %.1f MB",
                heap() / MEGABYTE,
                parameters / MEGABYTE,
                optimizer / MEGABYTE,
                rule / MEGABYTE,
                gradients / MEGABYTE,
                outside / MEGABYTE,
                heapBytes / MEGABYTE);
    }
}

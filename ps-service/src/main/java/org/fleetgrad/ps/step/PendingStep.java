package org.fleetgrad.ps.step;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.optim.Cores;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The gradients that wait for the next step, as their sum weighted by samples. So N workers' gradients make the same step
 * as one worker whose batch is the N batches together.
 *
 * <pre>g = sum_i(samples_i * g_i) / sum_i(samples_i)</pre>
 *
 * <p>Belongs to the applier.
 */
public final class PendingStep {

    private final BufferPool<float[]> buffers;
    private final Set<String> workers = new HashSet<>();
    private final Set<String> passed = new HashSet<>();
    private float @Nullable [] sum;
    private boolean isWeighted;
    private int gradients;
    private long samples;
    private double lossSum;
    private double batchSum;
    private long oldestBase = Long.MAX_VALUE;

    /** Makes a step that nothing waits for; values it no longer needs go back to {@code buffers}. */
    public PendingStep(BufferPool<float[]> buffers) {
        this.buffers = buffers;
    }

    /** Adds a gradient; the ownership of its values passes to this step. */
    public void add(Gradient gradient) {
        long weight = gradient.metadata().samples();
        float[] values = gradient.values();
        if (sum == null) {
            // A single gradient is applied as it came, bit for bit; it is weighted only when a second one comes.
            sum = values;
        } else {
            float[] total = sum;
            if (!isWeighted) {
                scale(total, (double) samples);
                isWeighted = true;
            }
            addScaled(total, values, (float) weight);
            buffers.giveBack(values);
        }
        workers.add(gradient.metadata().worker());
        passed.remove(gradient.metadata().worker());
        gradients++;
        samples = TrainingStatistics.plus(samples, weight);
        lossSum = TrainingStatistics.finite(
                lossSum + (double) weight * gradient.metadata().loss());
        batchSum += (double) weight * (double) gradient.metadata().batches().orElse(1);
        oldestBase = Math.min(oldestBase, gradient.metadata().baseVersion());
    }

    /** Returns the mean gradient; valid until {@link #clear}. */
    public float[] mean() {
        float[] total = sum;
        if (total == null) {
            throw new IllegalStateException("no gradient waits for a step");
        }
        if (isWeighted) {
            scale(total, 1.0 / (double) samples);
            isWeighted = false;
        }
        return total;
    }

    /** Forgets the gradients; called after their step. */
    public void clear() {
        if (sum != null) {
            buffers.giveBack(sum);
        }
        sum = null;
        isWeighted = false;
        gradients = 0;
        samples = 0;
        lossSum = 0;
        batchSum = 0;
        oldestBase = Long.MAX_VALUE;
        workers.clear();
        passed.clear();
    }

    /** Notes that a worker has no gradient for this step. A worker that already contributed stays counted. */
    public void pass(String worker) {
        if (!workers.contains(worker)) {
            passed.add(worker);
        }
    }

    /** Tells whether one of {@code live} has passed. */
    public boolean isPassedByAnyOf(Set<String> live) {
        return passed.stream().anyMatch(live::contains);
    }

    /** Returns those of {@code live} that have not passed. */
    public Set<String> awaited(Set<String> live) {
        Set<String> awaited = new HashSet<>(live);
        awaited.removeAll(passed);
        return awaited;
    }

    /** Tells whether no gradient waits. */
    public boolean isEmpty() {
        return gradients == 0;
    }

    /** Returns how many gradients wait. */
    public int gradients() {
        return gradients;
    }

    /** Returns over how many samples they are. */
    public long samples() {
        return samples;
    }

    /** Returns their mean loss, weighted by samples. */
    public double meanLoss() {
        return lossSum / (double) samples;
    }

    /** Returns over how many batches a gradient observed the state, as the mean weighted by samples. */
    public double meanBatches() {
        return batchSum / (double) samples;
    }

    /** Returns their smallest base version. */
    public long oldestBase() {
        return oldestBase;
    }

    /** Tells whether a gradient of the worker waits. */
    public boolean has(String worker) {
        return workers.contains(worker);
    }

    /** Returns how many of {@code live} have a gradient here. */
    public int contributorsAmong(Set<String> live) {
        return (int) workers.stream().filter(live::contains).count();
    }

    /** Returns a copy of what waits; empty if nothing waits. */
    public Optional<TrainingState.Pending> state() {
        if (sum == null) {
            return Optional.empty();
        }
        return Optional.of(new TrainingState.Pending(
                sum.clone(), isWeighted, gradients, samples, lossSum, batchSum, oldestBase, Set.copyOf(workers)));
    }

    /** Takes over what waited in another life of the run. */
    public void restore(Optional<TrainingState.Pending> state) {
        clear();
        state.ifPresent(waiting -> {
            sum = waiting.sum().clone();
            isWeighted = waiting.isWeighted();
            gradients = waiting.gradients();
            samples = waiting.samples();
            lossSum = waiting.lossSum();
            batchSum = waiting.batchSum();
            oldestBase = waiting.oldestBase();
            workers.addAll(waiting.workers());
        });
    }

    private static void scale(float[] values, double factor) {
        float by = (float) factor;
        Cores.each(values.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                values[i] *= by;
            }
        });
    }

    private static void addScaled(float[] sum, float[] values, float weight) {
        Cores.each(sum.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                sum[i] += weight * values[i];
            }
        });
    }
}

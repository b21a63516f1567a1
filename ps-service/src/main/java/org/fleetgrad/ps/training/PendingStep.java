package org.fleetgrad.ps.training;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The gradients that wait for the next step, as their sample-weighted sum: N workers' gradients make the step that one
 * worker would make with the N batches as one.
 *
 * <pre>g = sum_i(samples_i * g_i) / sum_i(samples_i)</pre>
 *
 * <p>Belongs to the applier.
 */
final class PendingStep {

    private final GradientBuffers buffers;
    private final Set<String> workers = new HashSet<>();
    private final Set<String> passed = new HashSet<>();
    private float @Nullable [] sum;
    private boolean isWeighted;
    private int gradients;
    private long samples;
    private double lossSum;
    private long oldestBase = Long.MAX_VALUE;

    PendingStep(GradientBuffers buffers) {
        this.buffers = buffers;
    }

    /** Takes a gradient, and with it the ownership of its values. */
    void add(Gradient gradient) {
        long weight = gradient.metadata().samples();
        float[] values = gradient.values();
        if (sum == null) {
            // A lone gradient is applied as it came, bit for bit; weighting waits for a second one.
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
        samples += weight;
        lossSum = TrainingStatistics.finite(
                lossSum + (double) weight * gradient.metadata().loss());
        oldestBase = Math.min(oldestBase, gradient.metadata().baseVersion());
    }

    /** Returns the mean gradient; valid until {@link #clear}. */
    float[] mean() {
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

    /** Forgets the gradients, as after their step. */
    void clear() {
        if (sum != null) {
            buffers.giveBack(sum);
        }
        sum = null;
        isWeighted = false;
        gradients = 0;
        samples = 0;
        lossSum = 0;
        oldestBase = Long.MAX_VALUE;
        workers.clear();
        passed.clear();
    }

    /** Notes that a worker has no gradient for this step; one that has one here is taken at its gradient. */
    void pass(String worker) {
        if (!workers.contains(worker)) {
            passed.add(worker);
        }
    }

    /** Tells whether the step goes without one of {@code live}. */
    boolean isPassedByAnyOf(Set<String> live) {
        return passed.stream().anyMatch(live::contains);
    }

    /** Returns those of {@code live} that the step does not go without. */
    Set<String> awaited(Set<String> live) {
        Set<String> awaited = new HashSet<>(live);
        awaited.removeAll(passed);
        return awaited;
    }

    boolean isEmpty() {
        return gradients == 0;
    }

    int gradients() {
        return gradients;
    }

    long samples() {
        return samples;
    }

    double meanLoss() {
        return lossSum / (double) samples;
    }

    long oldestBase() {
        return oldestBase;
    }

    boolean has(String worker) {
        return workers.contains(worker);
    }

    /** Returns how many of {@code live} have a gradient here. */
    int contributorsAmong(Set<String> live) {
        return (int) workers.stream().filter(live::contains).count();
    }

    /** Returns a copy of what waits; nothing where nothing does. */
    Optional<TrainingState.Pending> state() {
        if (sum == null) {
            return Optional.empty();
        }
        return Optional.of(new TrainingState.Pending(
                sum.clone(), isWeighted, gradients, samples, lossSum, oldestBase, Set.copyOf(workers)));
    }

    /** Takes over what waited elsewhere. */
    void restore(Optional<TrainingState.Pending> state) {
        clear();
        state.ifPresent(waiting -> {
            sum = waiting.sum().clone();
            isWeighted = waiting.isWeighted();
            gradients = waiting.gradients();
            samples = waiting.samples();
            lossSum = waiting.lossSum();
            oldestBase = waiting.oldestBase();
            workers.addAll(waiting.workers());
        });
    }

    private static void scale(float[] values, double factor) {
        float by = (float) factor;
        for (int i = 0; i < values.length; i++) {
            values[i] *= by;
        }
    }

    private static void addScaled(float[] sum, float[] values, float weight) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += weight * values[i];
        }
    }
}

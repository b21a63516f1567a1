package org.fleetgrad.ps.step;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.optim.Aggregation;
import org.fleetgrad.optim.Cores;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The pending gradients of the next step, and the barrier: when they make it. For the mean, only their sum is stored, weighted
 * by samples or by the loss weights of samples that do not count alike. So N workers' gradients make the same step as one
 * worker whose batch is the N batches together. Other rules need each gradient, so all are stored.
 *
 * <pre>g = sum_i(w_i * g_i) / sum_i(w_i), where w_i = samples_i or lossWeight_i</pre>
 *
 * <p>Confined to the applier.
 */
public final class PendingStep {

    /** Weight of a gradient whose samples have none: it is 0, but the state that it observed is not. */
    private static final double LEAST_WEIGHT = 1e-30;

    private final BufferPool<float[]> buffers;
    private final TrainingMode mode;
    private final Aggregation aggregation;
    private final Leases leases;
    // Empty for the mean, and once they are combined.
    private final List<float[]> each = new ArrayList<>();
    private final Set<String> workers = new HashSet<>();
    private final Set<String> passed = new HashSet<>();
    private float @Nullable [] sum;
    private boolean isWeighted;
    private int gradients;
    private long samples;
    private double weights;
    private double lossSum;
    private double batchSum;
    private long oldestBase = Long.MAX_VALUE;

    /**
     * Makes an empty step.
     *
     * @param buffers take back the values that it no longer needs
     * @param leases  a synchronous step waits for the workers whose lease runs
     */
    public PendingStep(BufferPool<float[]> buffers, TrainingMode mode, Leases leases) {
        this.buffers = buffers;
        this.mode = mode;
        this.aggregation = mode.aggregation();
        this.leases = leases;
    }

    /** Tells whether these gradients and one more of {@code worker} make a step. */
    public boolean isReachedWith(String worker, long moreSamples) {
        if (mode instanceof TrainingMode.Sync sync) {
            Set<String> live = awaited(leases.liveIds());
            boolean isNew = live.contains(worker) && !has(worker);
            return contributorsAmong(live) + (isNew ? 1 : 0) >= sync.wanted(live.size());
        }
        return isReached(gradients + 1, samples + moreSamples);
    }

    /** Tells whether these gradients make a step without another one, as after a worker left or passed. */
    public boolean isReached() {
        Set<String> all = leases.liveIds();
        if (isEmpty() && passed.stream().noneMatch(all::contains)) {
            return false;
        }
        Set<String> live = awaited(all);
        if (live.isEmpty()) {
            // No worker is missing. If all have passed, there may be no gradient, and only the version moves.
            return true;
        }
        if (isEmpty()) {
            return false;
        }
        if (mode instanceof TrainingMode.Sync sync) {
            return contributorsAmong(live) >= sync.wanted(live.size());
        }
        return isReached(gradients, samples);
    }

    private boolean isReached(int gradientsThen, long samplesThen) {
        if (mode instanceof TrainingMode.SyncBySamples bySamples) {
            return samplesThen >= bySamples.samplesPerStep();
        }
        return !(mode instanceof TrainingMode.Async async) || async.step().isReached(gradientsThen, samplesThen);
    }

    private Set<String> awaited(Set<String> live) {
        Set<String> awaited = new HashSet<>(live);
        awaited.removeAll(passed);
        return awaited;
    }

    /** Returns how many of {@code live} have a gradient here. */
    int contributorsAmong(Set<String> live) {
        return (int) workers.stream().filter(live::contains).count();
    }

    /** Adds a gradient; the ownership of its values passes to this step. */
    public void add(Gradient gradient) {
        long added = gradient.metadata().samples();
        double weight = Math.max(gradient.metadata().weight(), LEAST_WEIGHT);
        if (aggregation.needsEach()) {
            each.add(gradient.values());
        } else {
            addToSum(gradient.values(), weight);
        }
        workers.add(gradient.metadata().worker());
        passed.remove(gradient.metadata().worker());
        gradients++;
        samples = TrainingStatistics.plus(samples, added);
        weights += weight;
        lossSum =
                TrainingStatistics.finite(lossSum + weight * gradient.metadata().loss());
        batchSum += (double) added * (double) gradient.metadata().batches().orElse(1);
        oldestBase = Math.min(oldestBase, gradient.metadata().baseVersion());
    }

    private void addToSum(float[] values, double weight) {
        if (sum == null) {
            // A single gradient is applied bit-identical, as received; it is weighted only when a second one arrives.
            sum = values;
        } else {
            float[] total = sum;
            if (!isWeighted) {
                scale(total, weights);
                isWeighted = true;
            }
            addScaled(total, values, (float) weight);
            buffers.release(values);
        }
    }

    /** Returns the gradient of the step; valid until {@link #clear}. Nothing may be added after this call. */
    public float[] combined() {
        if (!each.isEmpty()) {
            sum = aggregation.combine(each);
            releaseAllBut(sum);
        }
        float[] total = sum;
        if (total == null) {
            throw new IllegalStateException("no gradient waits for a step");
        }
        if (isWeighted) {
            scale(total, 1.0 / weights);
            isWeighted = false;
        }
        return total;
    }

    private void releaseAllBut(float @Nullable [] result) {
        for (float[] values : each) {
            if (values != result) {
                buffers.release(values);
            }
        }
        each.clear();
    }

    /** Forgets the gradients; called after their step. */
    public void clear() {
        releaseAllBut(null);
        if (sum != null) {
            buffers.release(sum);
        }
        sum = null;
        isWeighted = false;
        gradients = 0;
        samples = 0;
        weights = 0;
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

    public boolean isEmpty() {
        return gradients == 0;
    }

    public int gradients() {
        return gradients;
    }

    public long samples() {
        return samples;
    }

    /** Returns their mean loss, weighted as their mean is. */
    public double meanLoss() {
        return lossSum / weights;
    }

    /** Returns over how many batches a gradient observed the state, as the mean weighted by samples. */
    public double meanBatches() {
        return batchSum / (double) samples;
    }

    /** Returns their smallest base version. */
    public long oldestBase() {
        return oldestBase;
    }

    public boolean has(String worker) {
        return workers.contains(worker);
    }

    /** Returns a copy of the pending gradients; empty if there are none. */
    public Optional<TrainingState.Pending> state() {
        if (isEmpty()) {
            return Optional.empty();
        }
        List<float[]> values = sum == null ? each : List.of(sum);
        return Optional.of(new TrainingState.Pending(
                values.stream().map(float[]::clone).toList(),
                isWeighted,
                gradients,
                samples,
                weights,
                lossSum,
                batchSum,
                oldestBase,
                Collections.unmodifiableSet(new TreeSet<>(workers))));
    }

    /**
     * Restores the pending gradients of an earlier process of the run. If that process had another rule, what it stored
     * counts here as one gradient.
     */
    public void restore(Optional<TrainingState.Pending> state) {
        clear();
        state.ifPresent(waiting -> {
            List<float[]> values = waiting.values().stream().map(float[]::clone).toList();
            isWeighted = waiting.isWeighted();
            gradients = waiting.gradients();
            samples = waiting.samples();
            weights = waiting.weights();
            if (aggregation.needsEach()) {
                if (isWeighted) {
                    scale(values.get(0), 1.0 / weights);
                    isWeighted = false;
                }
                each.addAll(values);
            } else {
                sum = new Aggregation.Mean().combine(values);
            }
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

package org.fleetgrad.optim;

import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.GapAware;

/** {@link GapAware} over SGD. */
final class SgdGapPenalty implements StalenessHandler {

    private static final String ARRIVALS = "arrivals";
    private static final String LARGEST_RATE = "largest_learning_rate_bits";
    private static final long LARGEST_FLOAT = Float.floatToIntBits(Float.MAX_VALUE);

    private final double decay;
    private final float fresh;
    private final float weightDecay;
    private final boolean hasMomentum;
    private final Optimizer optimizer;
    private final RuleMemory memory;
    private final DecayRanges ranges;
    private final float[] average;
    private final float[] momentumBuffer;

    SgdGapPenalty(GapAware rule, SgdSettings settings, DecayRanges ranges) {
        this.ranges = ranges;
        int size = ranges.size();
        this.decay = Decimals.written(rule.decay());
        this.fresh = (float) (1 - decay);
        this.weightDecay = settings.weightDecay();
        this.hasMomentum = settings.momentum() != 0;
        this.optimizer = Optimizer.create(settings, ranges);
        this.memory = new RuleMemory(
                size,
                Map.of(ARRIVALS, Long.MAX_VALUE, LARGEST_RATE, LARGEST_FLOAT),
                List.of("average"),
                RuleMemory.NOTHING);
        this.average = memory.shared("average");
        this.momentumBuffer = optimizer.state().buffers().getOrDefault("momentum_buffer", new float[0]);
    }

    @Override
    public Optimizer optimizer() {
        return optimizer;
    }

    @Override
    public RuleMemory memory() {
        return memory;
    }

    @Override
    public void arrive(
            String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {
        float largestRate = record(gradient, learningRate);
        // Before the first learning rate is known, there is no step size to measure a gap with.
        if (staleness > 0 && largestRate > 0) {
            StalenessLoops.penalize(
                    gradient, base, parameters, average, scale(largestRate), floor(largestRate), weightDecay, ranges);
        }
    }

    @Override
    public void arriveWithoutBase(long staleness, float[] gradient, float[] parameters, float learningRate) {
        float largestRate = record(gradient, learningRate);
        if (staleness > 0 && largestRate > 0) {
            StalenessLoops.penalizeByOwnStep(
                    gradient,
                    parameters,
                    average,
                    scale(largestRate),
                    floor(largestRate),
                    learningRate,
                    weightDecay,
                    ranges);
        }
    }

    /** Counts a gradient, and returns the largest learning rate so far. */
    private float record(float[] gradient, float learningRate) {
        float largestRate = Math.max(learningRate, Float.intBitsToFloat((int) memory.number(LARGEST_RATE)));
        memory.set(ARRIVALS, memory.number(ARRIVALS) + 1);
        memory.set(LARGEST_RATE, Float.floatToIntBits(largestRate));
        StalenessLoops.averageSquares(average, hasMomentum ? momentumBuffer : gradient, (float) decay, fresh);
        return largestRate;
    }

    private float scale(float largestRate) {
        double unbiased = 1 / Math.sqrt(1 - StrictMath.pow(decay, (double) memory.number(ARRIVALS)));
        return (float) (largestRate * unbiased);
    }

    /** More than 0, so that a gap of 0 gives 0 steps and not 0/0. */
    private static float floor(float largestRate) {
        return Math.max(Float.MIN_NORMAL, (float) ((double) largestRate * StalenessLoops.EPSILON));
    }
}

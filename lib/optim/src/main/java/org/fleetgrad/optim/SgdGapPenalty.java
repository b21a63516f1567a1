package org.fleetgrad.optim;

import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.GapAware;

/** {@link GapAware} over SGD. */
final class SgdGapPenalty extends StalenessAwareOptimizer {

    private static final String ARRIVALS = "arrivals";
    private static final String LARGEST_RATE = "largest_learning_rate_bits";
    private static final long LARGEST_FLOAT = Float.floatToIntBits(Float.MAX_VALUE);

    private final double decay;
    private final float fresh;
    private final float weightDecay;
    private final boolean hasMomentum;
    private final StepRanges ranges;
    private final float[] average;
    private final float[] momentumBuffer;

    SgdGapPenalty(GapAware rule, SgdSettings settings, StepRanges ranges) {
        super(
                rule,
                Optimizer.create(settings, ranges),
                new RuleMemory(
                        ranges.size(),
                        Map.of(ARRIVALS, Long.MAX_VALUE, LARGEST_RATE, LARGEST_FLOAT),
                        List.of("average"),
                        RuleMemory.NOTHING));
        this.ranges = ranges;
        this.decay = Decimals.written(rule.decay());
        this.fresh = (float) (1 - decay);
        this.weightDecay = settings.weightDecay();
        this.hasMomentum = settings.momentum() != 0;
        this.average = memory.shared("average");
        this.momentumBuffer = optimizer.state().buffers().getOrDefault("momentum_buffer", new float[0]);
    }

    @Override
    void adjust(String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {
        float largestRate = record(gradient, learningRate);
        // Before the first learning rate is known, there is no step size to measure a gap with.
        if (staleness > 0 && largestRate > 0) {
            Usual usual = usual(largestRate);
            ranges.rates()
                    .eachOnCores((from, to, range) -> StalenessLoops.penalize(
                            gradient,
                            base,
                            parameters,
                            average,
                            usual.scales()[range],
                            usual.floors()[range],
                            weightDecay,
                            ranges.decay(),
                            from,
                            to));
        }
    }

    @Override
    void adjustWithoutBase(long staleness, float[] gradient, float[] parameters, float learningRate) {
        float largestRate = record(gradient, learningRate);
        if (staleness > 0 && largestRate > 0) {
            Usual usual = usual(largestRate);
            float[] rates = ranges.rates().rates(learningRate);
            ranges.rates()
                    .eachOnCores((from, to, range) -> StalenessLoops.penalizeByOwnStep(
                            gradient,
                            parameters,
                            average,
                            usual.scales()[range],
                            usual.floors()[range],
                            rates[range],
                            weightDecay,
                            ranges.decay(),
                            from,
                            to));
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

    /** The usual size of a step for an average of 1, and its smallest one, by the ranges of learning rates. */
    private record Usual(float[] scales, float[] floors) {}

    private Usual usual(float largestRate) {
        float[] largest = ranges.rates().rates(largestRate);
        float[] scales = new float[largest.length];
        float[] floors = new float[largest.length];
        for (int i = 0; i < largest.length; i++) {
            scales[i] = scale(largest[i]);
            floors[i] = floor(largest[i]);
        }
        return new Usual(scales, floors);
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

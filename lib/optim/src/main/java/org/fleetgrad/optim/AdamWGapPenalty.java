package org.fleetgrad.optim;

import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;

/**
 * {@link StalenessRule.GapAware} over AdamW. The decay of AdamW is not part of the gradient, so shrinking the gradient
 * does not shrink the decay: the shares by which the arrivals shrink it are summed up in {@code r}, and their mean is
 * added back to the parameters just before the step.
 *
 * <pre>
 * r = r + (1 - 1 / n)
 * p = (1 + lr weightDecay r / arrivals) p
 * </pre>
 */
final class AdamWGapPenalty implements StalenessHandler {

    private static final String ARRIVALS = "arrivals_since_step";

    private final double weightDecay;
    private final Adam optimizer;
    private final RuleMemory memory;
    private final DecayRanges ranges;
    private final float[] stepSquares;
    private final float[] relief;

    AdamWGapPenalty(AdamWSettings settings, DecayRanges ranges) {
        this.ranges = ranges;
        int size = ranges.size();
        this.weightDecay = Decimals.written(settings.weightDecay());
        this.memory = new RuleMemory(
                size, Map.of(ARRIVALS, Long.MAX_VALUE), List.of("step_squares", "decay_relief"), RuleMemory.NOTHING);
        this.stepSquares = memory.shared("step_squares");
        this.relief = memory.shared("decay_relief");
        this.optimizer = Adam.recording(settings, ranges, stepSquares);
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
        memory.set(ARRIVALS, memory.number(ARRIVALS) + 1);
        if (staleness > 0) {
            StalenessLoops.penalizeWithRelief(gradient, base, parameters, stepSquares, StalenessLoops.EPSILON, relief);
        }
    }

    @Override
    public void step(String worker, float[] parameters, float[] gradient, float learningRate) {
        long arrivals = memory.number(ARRIVALS);
        if (arrivals > 0) {
            double share = Decimals.written(learningRate) * weightDecay / (double) arrivals;
            StalenessLoops.relieve(parameters, relief, (float) share, ranges);
            memory.set(ARRIVALS, 0);
        }
        optimizer.step(parameters, gradient, learningRate);
    }
}

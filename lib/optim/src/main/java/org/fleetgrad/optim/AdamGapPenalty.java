package org.fleetgrad.optim;

import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.StalenessRule.GapAware;

/**
 * {@link GapAware} over Adam and AdamW. The decay of AdamW is not part of the gradient, so shrinking the gradient does
 * not shrink the decay: the shares by which the arrivals shrink it are summed up in {@code r}, and their mean is added
 * back to the parameters just before the step.
 *
 * <pre>
 * r = r + (1 - 1 / n)
 * p = (1 + lr weightDecay r / arrivals) p
 * </pre>
 */
final class AdamGapPenalty extends StalenessAwareOptimizer {

    private static final String ARRIVALS = "arrivals_since_step";
    private static final String STEP_SQUARES = "step_squares";
    private static final String RELIEF = "decay_relief";

    private final StepRanges ranges;
    /** Adam's, which is part of the gradient; 0 with AdamW. */
    private final float coupledDecay;
    /** AdamW's; 0 with Adam. */
    private final double decoupledDecay;

    private final float[] stepSquares;
    /** Empty without decoupled decay. */
    private final float[] relief;

    AdamGapPenalty(GapAware rule, OptimizerSettings settings, StepRanges ranges) {
        this(rule, settings, ranges, memory(settings, ranges.size()));
    }

    private AdamGapPenalty(GapAware rule, OptimizerSettings settings, StepRanges ranges, RuleMemory memory) {
        super(rule, Adam.recording(settings, ranges, memory.shared(STEP_SQUARES)), memory);
        this.ranges = ranges;
        this.coupledDecay = settings instanceof AdamSettings adam ? adam.weightDecay() : 0;
        this.decoupledDecay = Decimals.written(decoupledDecay(settings));
        this.stepSquares = memory.shared(STEP_SQUARES);
        this.relief = decoupledDecay == 0 ? new float[0] : memory.shared(RELIEF);
    }

    private static float decoupledDecay(OptimizerSettings settings) {
        return settings instanceof AdamWSettings adamW ? adamW.weightDecay() : 0;
    }

    private static RuleMemory memory(OptimizerSettings settings, int size) {
        return decoupledDecay(settings) == 0
                ? new RuleMemory(size, Map.of(), List.of(STEP_SQUARES), RuleMemory.NOTHING)
                : new RuleMemory(
                        size, Map.of(ARRIVALS, Long.MAX_VALUE), List.of(STEP_SQUARES, RELIEF), RuleMemory.NOTHING);
    }

    @Override
    void adjust(String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {
        if (decoupledDecay != 0) {
            memory.set(ARRIVALS, memory.number(ARRIVALS) + 1);
        }
        if (staleness > 0 && decoupledDecay != 0) {
            StalenessLoops.penalizeWithRelief(gradient, base, parameters, stepSquares, StalenessLoops.EPSILON, relief);
        } else if (staleness > 0) {
            Cores.each(
                    gradient.length,
                    (from, to) -> StalenessLoops.penalize(
                            gradient,
                            base,
                            parameters,
                            stepSquares,
                            1,
                            StalenessLoops.EPSILON,
                            coupledDecay,
                            ranges.decay(),
                            from,
                            to));
        }
    }

    @Override
    void makeStep(String worker, float[] parameters, float[] gradient, float learningRate) {
        long arrivals = decoupledDecay == 0 ? 0 : memory.number(ARRIVALS);
        if (arrivals > 0) {
            float[] shares = ranges.rates().rates(learningRate);
            for (int i = 0; i < shares.length; i++) {
                shares[i] = (float) (Decimals.written(shares[i]) * decoupledDecay / (double) arrivals);
            }
            ranges.rates()
                    .eachOnCores((from, to, range) ->
                            StalenessLoops.relieve(parameters, relief, shares[range], ranges.decay(), from, to));
            memory.set(ARRIVALS, 0);
        }
        optimizer.step(parameters, gradient, learningRate);
    }
}

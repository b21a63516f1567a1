package org.fleetgrad.optim;

import java.util.List;
import java.util.Map;

/** {@link StalenessRule.GapAware} over Adam, and over AdamW without weight decay. */
final class AdamGapPenalty implements StalenessHandler {

    private final float weightDecay;
    private final Adam optimizer;
    private final RuleMemory memory;
    private final DecayRanges ranges;
    private final float[] stepSquares;

    AdamGapPenalty(OptimizerSettings settings, float weightDecay, DecayRanges ranges) {
        this.ranges = ranges;
        int size = ranges.size();
        this.weightDecay = weightDecay;
        this.memory = new RuleMemory(size, Map.of(), List.of("step_squares"), RuleMemory.NOTHING);
        this.stepSquares = memory.shared("step_squares");
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
        if (staleness > 0) {
            StalenessLoops.penalize(
                    gradient, base, parameters, stepSquares, 1, StalenessLoops.EPSILON, weightDecay, ranges);
        }
    }
}

package org.fleetgrad.optim;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

/** Applies {@link StalenessRule.LookAhead}: a worker's momentum replaces its gradient in a plain SGD step. */
final class LookAheadMomentum implements StalenessHandler {

    private final float momentum;
    private final float weightDecay;
    private final Optimizer optimizer;
    private final RuleMemory memory;
    private final DecayRanges ranges;
    private final float[] sum;
    private final float[] served;

    LookAheadMomentum(SgdSettings settings, DecayRanges ranges) {
        this.ranges = ranges;
        int size = ranges.size();
        this.momentum = settings.momentum();
        this.weightDecay = settings.weightDecay();
        this.optimizer = Optimizer.create(new SgdSettings(0, 0, false, 0), ranges);
        this.memory = new RuleMemory(size, Map.of(), List.of("momentum_sum"), "momentum");
        this.sum = memory.shared("momentum_sum");
        this.served = new float[size];
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
            String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {}

    @Override
    public void step(String worker, float[] parameters, float[] gradient, float learningRate) {
        float[] ofWorker = memory.of(worker);
        StalenessLoops.gatherMomentum(gradient, parameters, weightDecay, ofWorker, momentum, sum, ranges);
        optimizer.step(parameters, ofWorker, learningRate);
    }

    @Override
    public float[] served(float[] parameters, float learningRate) {
        float reach = (float) -(Decimals.written(learningRate) * Decimals.written(momentum));
        StalenessLoops.lookAhead(served, parameters, sum, reach);
        return served;
    }

    /**
     * Computes the sum again: subtracting the worker's momentum would leave the rounding errors of its whole history.
     */
    @Override
    public void forgotten() {
        Arrays.fill(sum, 0);
        memory.ofWorkers().forEach(ofWorker -> StalenessLoops.add(sum, ofWorker));
    }
}

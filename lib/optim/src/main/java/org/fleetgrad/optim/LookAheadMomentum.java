package org.fleetgrad.optim;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.LookAhead;

/** Applies {@link LookAhead}: a worker's momentum replaces its gradient in a plain SGD step. */
final class LookAheadMomentum extends StalenessAwareOptimizer {

    private final float momentum;
    private final float weightDecay;
    private final StepRanges ranges;
    private final float[] sum;
    private final float[] served;

    LookAheadMomentum(LookAhead rule, SgdSettings settings, StepRanges ranges) {
        super(
                rule,
                Optimizer.create(new SgdSettings(0, 0, false, 0), ranges),
                new RuleMemory(ranges.size(), Map.of(), List.of("momentum_sum"), "momentum"));
        this.ranges = ranges;
        this.momentum = settings.momentum();
        this.weightDecay = settings.weightDecay();
        this.sum = memory.shared("momentum_sum");
        this.served = new float[ranges.size()];
    }

    @Override
    void makeStep(String worker, float[] parameters, float[] gradient, float learningRate) {
        float[] ofWorker = memory.of(worker);
        StalenessLoops.gatherMomentum(gradient, parameters, weightDecay, ofWorker, momentum, sum, ranges.decay());
        optimizer.step(parameters, ofWorker, learningRate);
    }

    @Override
    float[] ahead(float[] parameters, float learningRate) {
        float[] reaches = ranges.rates().rates(learningRate);
        for (int i = 0; i < reaches.length; i++) {
            reaches[i] = (float) -(Decimals.written(reaches[i]) * Decimals.written(momentum));
        }
        ranges.rates()
                .eachOnCores((from, to, range) ->
                        StalenessLoops.lookAhead(served, parameters, sum, reaches[range], from, to));
        return served;
    }

    /**
     * Computes the sum again: subtracting the worker's momentum would leave the rounding errors of its whole history.
     */
    @Override
    void workerForgotten() {
        Arrays.fill(sum, 0);
        memory.ofWorkers().forEach(ofWorker -> StalenessLoops.add(sum, ofWorker));
    }
}

package org.fleetgrad.optim;

import org.fleetgrad.optim.StalenessRule.DelayCompensated;

/** Applies {@link DelayCompensated}. */
record DelayCompensation(float lambda, Optimizer optimizer, RuleMemory memory) implements StalenessHandler {

    DelayCompensation(DelayCompensated rule, Optimizer optimizer) {
        this(rule.lambda(), optimizer, StalenessHandler.nothing(optimizer.size()));
    }

    @Override
    public void arrive(
            String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {
        StalenessLoops.compensate(gradient, base, parameters, lambda);
    }
}

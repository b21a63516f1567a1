package org.fleetgrad.optim;

/** Applies {@link StalenessRule.Damped}. */
record Damping(Optimizer optimizer, RuleMemory memory) implements StalenessHandler {

    Damping(Optimizer optimizer) {
        this(optimizer, StalenessHandler.nothing(optimizer.size()));
    }

    @Override
    public void arrive(
            String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {
        if (staleness > 1) {
            StalenessLoops.scale(gradient, (float) (1.0 / (double) staleness));
        }
    }
}

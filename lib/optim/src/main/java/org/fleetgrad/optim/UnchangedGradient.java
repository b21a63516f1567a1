package org.fleetgrad.optim;

/**
 * Leaves gradients unchanged: {@link StalenessRule.None}, and the server's half of {@link StalenessRule.LookAheadSlim}.
 */
record UnchangedGradient(Optimizer optimizer, RuleMemory memory) implements StalenessHandler {

    UnchangedGradient(Optimizer optimizer) {
        this(optimizer, StalenessHandler.nothing(optimizer.size()));
    }

    @Override
    public void arrive(
            String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {}
}

package org.fleetgrad.optim;

/**
 * Leaves gradients unchanged: {@link StalenessRule.None}, and the server's half of {@link StalenessRule.LookAheadSlim}.
 */
record AsItCame(Optimizer optimizer, RuleMemory memory) implements RuleAtWork {

    AsItCame(Optimizer optimizer) {
        this(optimizer, RuleAtWork.nothing(optimizer.size()));
    }

    @Override
    public void arrive(
            String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate) {}
}

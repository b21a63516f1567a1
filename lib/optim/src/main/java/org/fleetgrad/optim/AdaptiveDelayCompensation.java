package org.fleetgrad.optim;

import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.StalenessRule.AdaptiveDelayCompensated;

/** Applies {@link AdaptiveDelayCompensated}. */
final class AdaptiveDelayCompensation implements StalenessHandler {

    private final float lambda;
    private final float kept;
    private final float fresh;
    private final Optimizer optimizer;
    private final RuleMemory memory;

    AdaptiveDelayCompensation(AdaptiveDelayCompensated rule, Optimizer optimizer) {
        this.lambda = rule.lambda();
        this.kept = rule.decay();
        this.fresh = (float) (1 - Decimals.written(rule.decay()));
        this.optimizer = optimizer;
        this.memory = new RuleMemory(optimizer.size(), Map.of(), List.of(), "squares");
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
        StalenessLoops.compensateAdaptively(gradient, base, parameters, memory.of(worker), kept, fresh, lambda);
    }
}

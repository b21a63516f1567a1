package org.fleetgrad.optim;

import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

/** Applies a {@link StalenessRule}. The arguments have been checked by {@link StalenessAwareOptimizer}. */
interface StalenessHandler {

    /**
     * Creates the implementation of a rule together with the optimizer that it uses. The settings must fit the rule.
     */
    static StalenessHandler create(StalenessRule rule, OptimizerSettings settings, DecayRanges ranges) {
        if (rule instanceof StalenessRule.GapAware gapAware) {
            return gapAware(gapAware, settings, ranges);
        }
        if (rule instanceof StalenessRule.LookAhead && settings instanceof SgdSettings sgd) {
            return new LookAheadMomentum(sgd, ranges);
        }
        if (rule instanceof StalenessRule.LookAheadSlim) {
            return new UnchangedGradient(Optimizer.create(new SgdSettings(0, 0, false, 0), ranges));
        }
        Optimizer optimizer = Optimizer.create(settings, ranges);
        if (rule instanceof StalenessRule.Damped) {
            return new Damping(optimizer);
        }
        if (rule instanceof StalenessRule.DelayCompensated compensated) {
            return new DelayCompensation(compensated, optimizer);
        }
        if (rule instanceof StalenessRule.AdaptiveDelayCompensated compensated) {
            return new AdaptiveDelayCompensation(compensated, optimizer);
        }
        return new UnchangedGradient(optimizer);
    }

    private static StalenessHandler gapAware(
            StalenessRule.GapAware rule, OptimizerSettings settings, DecayRanges ranges) {
        if (settings instanceof SgdSettings sgd) {
            return new SgdGapPenalty(rule, sgd, ranges);
        }
        if (settings instanceof AdamSettings adam) {
            return new AdamGapPenalty(adam, adam.weightDecay(), ranges);
        }
        AdamWSettings adamW = (AdamWSettings) settings;
        return adamW.weightDecay() == 0 ? new AdamGapPenalty(adamW, 0, ranges) : new AdamWGapPenalty(adamW, ranges);
    }

    /** Returns a memory for a rule without state. */
    static RuleMemory nothing(int size) {
        return new RuleMemory(size, Map.of(), List.of(), RuleMemory.NOTHING);
    }

    /** Returns the optimizer that makes the steps. */
    Optimizer optimizer();

    /** Returns the state of the rule, without the optimizer's. */
    RuleMemory memory();

    /** Records a gradient and adjusts it in place. */
    void arrive(String worker, long staleness, float[] gradient, float[] base, float[] parameters, float learningRate);

    /** Records a gradient and adjusts it in place by a gap that is estimated from it. */
    default void arriveWithoutBase(long staleness, float[] gradient, float[] parameters, float learningRate) {
        throw new IllegalArgumentException("only gap-aware SGD can estimate a gap from the gradient itself");
    }

    /** Makes a step. */
    default void step(String worker, float[] parameters, float[] gradient, float learningRate) {
        optimizer().step(parameters, gradient, learningRate);
    }

    /** Returns the values that workers are to compute on. */
    default float[] served(float[] parameters, float learningRate) {
        return parameters;
    }

    /** Called after a worker was removed from the memory. */
    default void forgotten() {}
}

package org.fleetgrad.pipeline.training;

import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.StageOrder;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.schedule.StageStaleness;

/**
 * The settings of a stage.
 *
 * @param place       its position
 * @param combination how the pipeline trains
 * @param decayed     the ranges of the stage's parameters to which weight decay applies
 * @param rates       the learning rates
 */
public record StageSettings(StagePlace place, Combination combination, DecayRanges decayed, StepRates rates) {

    /** Returns the order of a window of this many micro-batches. */
    StageOrder order(int microBatches) {
        return new StageOrder(combination.schedule(), place, microBatches);
    }

    /** Returns how stale this stage's gradients are. */
    StageStaleness staleness() {
        return StageStaleness.of(combination.schedule(), place);
    }

    /** The learning rate of every step of a run. */
    @FunctionalInterface
    public interface StepRates {

        /**
         * Returns the learning rate of a step.
         *
         * @param step number of steps before it, over all windows
         */
        float at(long step);
    }
}

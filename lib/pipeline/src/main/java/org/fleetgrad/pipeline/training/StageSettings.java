package org.fleetgrad.pipeline.training;

import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.StageOrder;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.schedule.Staleness;

/**
 * What a stage is told before it begins.
 *
 * @param place       where it stands
 * @param combination how the pipeline trains
 * @param decayed     the parameters on which weight decay acts; as many as the stage has
 * @param rates       the learning rates
 */
public record StageSettings(StagePlace place, Combination combination, DecayRanges decayed, StepRates rates) {

    /** Returns the order of a window with this many micro-batches, of which those that count are left. */
    StageOrder order(int microBatches) {
        int used = combination
                .remainder()
                .used(microBatches, combination.schedule().stepEvery());
        return new StageOrder(combination.schedule(), place, used);
    }

    /** Returns how stale this stage's gradients are. */
    Staleness staleness() {
        return Staleness.of(combination.schedule(), place);
    }
}

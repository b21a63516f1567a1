package org.fleetgrad.pipeline.training;

import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.schedule.StageStaleness;

/**
 * Which values of a tied tensor the last stage uses: for every micro-batch those that the first stage used in its forward pass,
 * predicted if they were. They are the newest that the last stage can have without waiting: with one forward pass of the first
 * stage goes everything that it knows. Both stages compute the order from the settings alone.
 *
 * @param combination how the pipeline trains
 * @param first       the first stage
 */
record TiedOrder(Combination combination, StagePlace first) {

    static TiedOrder of(Combination combination, int stages) {
        return new TiedOrder(combination, new StagePlace(stages, 0));
    }

    /**
     * Returns whether the values of a micro-batch differ from those of the one before it, so that they are sent.
     *
     * @param microBatch its place in the window, from 0; the first one always gets them, so that a flush needs no copy
     */
    boolean changesAt(int microBatch) {
        return microBatch == 0
                || isPredicted(microBatch)
                || isPredicted(microBatch - 1)
                || staleness().forwardVersion(microBatch) != staleness().forwardVersion(microBatch - 1);
    }

    private boolean isPredicted(int microBatch) {
        return combination.horizonAt(first, stalenessAt(microBatch)) > 0;
    }

    /** Returns the steps between the values of a micro-batch and the values that its gradient changes. */
    int stalenessAt(int microBatch) {
        return staleness().at(microBatch);
    }

    private StageStaleness staleness() {
        return StageStaleness.of(combination.schedule(), first);
    }
}

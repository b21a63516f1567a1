package org.fleetgrad.pipeline.cut;

import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.StagePlace;

/** Counts the arrays of a stage's optimizer and cures, each with one value per parameter. */
final class OptimizerArrays {

    private OptimizerArrays() {}

    /** Returns their number, without the parameters and the gradient. */
    static int of(Combination combination, StagePlace place) {
        boolean isPenalizing = combination.gapPenaltyAt(place).isPresent();
        boolean isPredicting = combination
                .predictionAt(place)
                .filter(prediction -> place.depth() > 0 || prediction.nesterov())
                .isPresent();
        // The predicted weights and the reference weights of the gap share one array.
        boolean needsScratch = isPredicting || (isPenalizing && combination.stash());
        return combination.optimizer().bufferCount() + (isPenalizing ? 1 : 0) + (needsScratch ? 1 : 0);
    }
}

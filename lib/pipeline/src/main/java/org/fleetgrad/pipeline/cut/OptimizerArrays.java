package org.fleetgrad.pipeline.cut;

import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.StagePlace;

/** Counts the arrays that a stage's optimizer and cures have, each with one value for each parameter. */
final class OptimizerArrays {

    private OptimizerArrays() {}

    /** Returns their number, without the parameters and the gradient. */
    static int of(Combination combination, StagePlace place) {
        boolean isPenalizing = combination.gapPenaltyAt(place).isPresent();
        boolean isPredicting = combination
                .predictionAt(place)
                .filter(prediction -> place.depth() > 0 || prediction.nesterov())
                .isPresent();
        // A prediction and the weights that a gap is measured to share one array.
        boolean needsScratch = isPredicting || (isPenalizing && combination.stash());
        return combination.optimizer().bufferCount() + (isPenalizing ? 1 : 0) + (needsScratch ? 1 : 0);
    }
}

package org.fleetgrad.pipeline.training;

import java.util.List;
import org.fleetgrad.pipeline.timeline.Timeline;

/**
 * The result of one window.
 *
 * @param stages   of each stage, the first one first
 * @param timeline what they did when
 */
public record WindowReport(List<StageFigures> stages, Timeline timeline) {

    public WindowReport {
        stages = List.copyOf(stages);
    }

    /** Returns the mean loss over the window's micro-batches; NaN if there were none. */
    public double meanLoss() {
        return stages.get(stages.size() - 1).meanLoss();
    }

    /**
     * The figures of one stage for one window.
     *
     * @param stage        from 0
     * @param microBatches with a finished backward pass
     * @param steps        made in the window
     * @param mostInFlight largest number of micro-batches between forward and backward
     * @param mostVersions largest number of distinct live versions of the weights, including the current one
     * @param mostCopies   largest number of live copies of the weights, including predicted ones
     * @param meanLoss     over the micro-batches; NaN on every stage but the last
     * @param accuracy     share of the training samples that the forward passes classified correctly, each with the weights at
     *     that time; NaN on every stage but the last
     */
    public record StageFigures(
            int stage,
            int microBatches,
            int steps,
            int mostInFlight,
            int mostVersions,
            int mostCopies,
            double meanLoss,
            double accuracy) {}
}

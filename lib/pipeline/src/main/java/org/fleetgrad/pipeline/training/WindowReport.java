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
}

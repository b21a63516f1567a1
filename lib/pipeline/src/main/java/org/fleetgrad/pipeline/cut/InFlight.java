package org.fleetgrad.pipeline.cut;

import java.util.Optional;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;

/**
 * The maximum that a stage holds at the same time.
 *
 * @param microBatches between their forward and backward passes
 * @param versions     copies of the parameters in the engine
 */
public record InFlight(int microBatches, int versions) {

    /** The weights of a micro-batch's backward pass. */
    public enum Weights {
        /** The live ones. */
        LIVE,
        /** Those of its forward pass. */
        STASHED,
        /** The predicted ones of its forward pass: each micro-batch has its own. */
        PREDICTED
    }

    /**
     * Returns what a stage holds under {@code 1f1b}, with d stages after it: d + 1 micro-batches. Of stashed weights ceil(d
     * / stepEvery) + 1 versions are alive, of predicted ones a copy for each micro-batch. The live ones then have no copy of
     * their own: the optimizer has their values.
     *
     * @param depth     d: 0 for the last stage
     * @param stepEvery micro-batches in one step
     */
    public static InFlight asynchronous(int depth, int stepEvery, Weights weights) {
        if (depth < 0 || stepEvery < 1) {
            throw new IllegalArgumentException(
                    "a stage has 0 or more stages behind it and steps every 1 or more micro-batches; they are %d and %d"
                            .formatted(depth, stepEvery));
        }
        if (depth == 0 || weights == Weights.LIVE) {
            return new InFlight(depth + 1, 1);
        }
        return new InFlight(
                depth + 1, weights == Weights.STASHED ? (depth + stepEvery - 1) / stepEvery + 1 : depth + 1);
    }

    /** Returns what a stage holds when a pipeline trains like this, once the window is long enough. */
    public static InFlight of(Combination combination, StagePlace place) {
        PipelineScheduleSettings schedule = combination.schedule();
        int depth = schedule.depth(place);
        if (schedule.schedule() == PipelineSchedule.GPIPE) {
            return drained(schedule.stepEvery());
        }
        if (schedule.schedule().isSynchronous()) {
            return drained(Math.min(depth + 1, schedule.stepEvery()));
        }
        Optional<StagePrediction> prediction = combination.predictionAt(place);
        if (prediction.isEmpty()) {
            return asynchronous(depth, schedule.stepEvery(), combination.stash() ? Weights.STASHED : Weights.LIVE);
        }
        if (depth == 0) {
            return new InFlight(1, 1);
        }
        // Predicted weights that no backward pass uses are freed after the forward pass, and the live ones before it.
        return combination.stash() || !combination.recompute()
                ? asynchronous(depth, schedule.stepEvery(), Weights.PREDICTED)
                : new InFlight(depth + 1, 1);
    }

    /** Returns what a stage with one version holds, as when the pipeline drains before each step. */
    public static InFlight drained(int microBatches) {
        return new InFlight(microBatches, 1);
    }
}

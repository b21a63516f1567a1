package org.fleetgrad.pipeline.cure;

import java.util.Optional;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.Remainder;

/** Builds a {@link Combination}. Not thread-safe. */
public final class CombinationBuilder {

    private final PipelineScheduleSettings schedule;
    private final OptimizerSettings optimizer;
    private boolean stash;
    private Optional<StagePrediction> prediction = Optional.empty();
    private Optional<GapPenalty> gapPenalty = Optional.empty();
    private boolean recompute;
    private float largestNorm;
    private Remainder remainder = Remainder.SCALED;

    CombinationBuilder(PipelineScheduleSettings schedule, OptimizerSettings optimizer) {
        this.schedule = schedule;
        this.optimizer = optimizer;
    }

    /** Backward passes use the weights of their forward passes. */
    public CombinationBuilder stash() {
        stash = true;
        return this;
    }

    /** Forward passes use predicted weights. */
    public CombinationBuilder predict(StagePrediction how) {
        prediction = Optional.of(how);
        return this;
    }

    /** Gradients are shrunk by the gap. */
    public CombinationBuilder penalizeGap(GapPenalty how) {
        gapPenalty = Optional.of(how);
        return this;
    }

    /** Stages keep their inputs only. */
    public CombinationBuilder recompute() {
        recompute = true;
        return this;
    }

    /** The global gradient norm is clipped to {@code largest}. */
    public CombinationBuilder clip(float largest) {
        largestNorm = largest;
        return this;
    }

    /** Sets what happens to a last step that is not full. */
    public CombinationBuilder remainder(Remainder policy) {
        remainder = policy;
        return this;
    }

    /**
     * Returns the combination.
     *
     * @throws IllegalCombinationException if its parts are not compatible
     */
    public Combination build() {
        return new Combination(schedule, optimizer, stash, prediction, gapPenalty, recompute, largestNorm, remainder);
    }
}

package org.fleetgrad.pipeline.cure;

import java.util.Optional;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.fleetgrad.pipeline.cure.CombinationRule.IllegalCombinationException;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;

/**
 * How a pipeline trains: a schedule, an optimizer, and a combination of cures that is known to be legal.
 *
 * <p>Which weights a stage uses, with {@code W[v]} for version {@code v}, {@code vf} and {@code vb} the versions at the
 * forward and the backward pass ({@link org.fleetgrad.pipeline.schedule.StageStaleness}), and {@code W^} for a prediction:
 *
 * <pre>
 *                                forward   Jacobian          its activations
 * nothing, recomputed            W[vf]     W[vb]             computed again with W[vb], from the stored input
 * nothing, not recomputed        W[vf]     W[vb]             from the forward pass: the Jacobian mixes versions
 * stash                          W[vf]     W[vf]             consistent
 * prediction, recomputed         W^        W[vb]             computed again with W[vb]
 * prediction, not recomputed     W^        W^                from the forward pass
 * prediction and stash           W^        W^                consistent
 * </pre>
 *
 * <p>The step always changes the current weights. Immutable and thread-safe.
 *
 * @param schedule   when a stage runs forward and backward passes
 * @param optimizer  of every stage
 * @param stash      whether the backward pass uses the weights of the forward pass (weight stashing: Narayanan et al.,
 *     PipeDream, SOSP 2019, section 3.3)
 * @param prediction whether and how the forward pass uses predicted weights
 * @param gapPenalty whether and how gradients are shrunk by the gap
 * @param recompute  whether a stage keeps only its input and recomputes the activations for the backward pass (Chen et al.,
 *     "Training deep nets with sublinear memory cost", 2016)
 * @param largestNorm to which the norm of the gradient of all stages together is clipped; 0 for no clipping
 */
public record Combination(
        PipelineScheduleSettings schedule,
        OptimizerSettings optimizer,
        boolean stash,
        Optional<StagePrediction> prediction,
        Optional<GapPenalty> gapPenalty,
        boolean recompute,
        float largestNorm) {

    /**
     * Checks that the parts are compatible.
     *
     * @throws IllegalCombinationException if they do not; the message is the rule, with what to write instead
     */
    public Combination {
        if (!(largestNorm >= 0) || !Float.isFinite(largestNorm)) {
            throw new IllegalArgumentException(
                    "the largest norm must be 0 or more and finite; it is %s: write 0 for no clipping"
                            .formatted(largestNorm));
        }
        Parts parts = new Parts(schedule, optimizer, stash, prediction, gapPenalty, recompute);
        for (CombinationRule rule : CombinationRule.values()) {
            rule.check(parts);
        }
    }

    /** The input of the rules. */
    record Parts(
            PipelineScheduleSettings schedule,
            OptimizerSettings optimizer,
            boolean stash,
            Optional<StagePrediction> prediction,
            Optional<GapPenalty> gapPenalty,
            boolean recompute) {}

    /** Returns a builder of a combination without cures, which recomputes nothing. */
    public static Builder builder(PipelineScheduleSettings schedule, OptimizerSettings optimizer) {
        return new Builder(schedule, optimizer);
    }

    /** Returns the settings of a stage's optimizer: if the prediction uses Nesterov, those of the last stage differ. */
    public OptimizerSettings optimizerAt(StagePlace place) {
        if (place.isLast() && isNesterov() && optimizer instanceof SgdSettings sgd) {
            return new SgdSettings(sgd.momentum(), sgd.dampening(), true, sgd.weightDecay());
        }
        return optimizer;
    }

    /** Returns the prediction of a stage, if it predicts at all. */
    public Optional<StagePrediction> predictionAt(StagePlace place) {
        boolean isIgnored = schedule.schedule() == PipelineSchedule.GPIPE
                || (place.isLast() && isNesterov() && optimizer instanceof SgdSettings);
        return isIgnored ? Optional.empty() : prediction;
    }

    /**
     * Returns how many steps ahead a stage predicts the weights of a forward pass; 0 for no prediction.
     *
     * @param staleness steps between this forward pass and its backward pass
     */
    public int horizonAt(StagePlace place, int staleness) {
        return predictionAt(place)
                .map(prediction -> staleness == 0 && prediction.nesterov() ? 1 : staleness)
                .orElse(0);
    }

    /** Returns the gap penalty of a stage, if it has one. */
    public Optional<GapPenalty> gapPenaltyAt(StagePlace place) {
        return gapPenalty.filter(penalty -> penalty.where().includes(place.depth()));
    }

    private boolean isNesterov() {
        return prediction.map(StagePrediction::nesterov).orElse(false);
    }

    /** Builds a {@link Combination}. Not thread-safe. */
    public static final class Builder {

        private final PipelineScheduleSettings schedule;
        private final OptimizerSettings optimizer;
        private boolean stash;
        private Optional<StagePrediction> prediction = Optional.empty();
        private Optional<GapPenalty> gapPenalty = Optional.empty();
        private boolean recompute;
        private float largestNorm;

        Builder(PipelineScheduleSettings schedule, OptimizerSettings optimizer) {
            this.schedule = schedule;
            this.optimizer = optimizer;
        }

        /** Backward passes use the weights of their forward passes. */
        public Builder stash() {
            stash = true;
            return this;
        }

        /** Forward passes use predicted weights. */
        public Builder predict(StagePrediction how) {
            prediction = Optional.of(how);
            return this;
        }

        /** Gradients are shrunk by the gap. */
        public Builder penalizeGap(GapPenalty how) {
            gapPenalty = Optional.of(how);
            return this;
        }

        /** Stages keep their inputs only. */
        public Builder recompute() {
            recompute = true;
            return this;
        }

        /** The global gradient norm is clipped to {@code largest}. */
        public Builder clip(float largest) {
            largestNorm = largest;
            return this;
        }

        /**
         * Returns the combination.
         *
         * @throws IllegalCombinationException if its parts are not compatible
         */
        public Combination build() {
            return new Combination(schedule, optimizer, stash, prediction, gapPenalty, recompute, largestNorm);
        }
    }

    /**
     * A stage runs the forward pass on weights predicted for the step at which the gradient will be applied.
     *
     * @param method        what the prediction takes into account
     * @param nesterov      whether a stage without staleness looks ahead one step, as Nesterov's momentum does; the last stage
     *     of SGD then has Nesterov's momentum itself and predicts nothing (FTPipe's {@code nag_with_predictor} and
     *     {@code nesterov_set_for_last_partition})
     * @param scheduleAware whether future steps use their scheduled learning rates, and not the current one
     */
    public record StagePrediction(Method method, boolean nesterov, boolean scheduleAware) {

        /** Returns a prediction with this method alone. */
        public static StagePrediction of(Method method) {
            return new StagePrediction(method, false, false);
        }
    }
}

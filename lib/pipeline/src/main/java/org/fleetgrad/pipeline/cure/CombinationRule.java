package org.fleetgrad.pipeline.cure;

import java.util.Optional;
import java.util.function.Function;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.WeightPrediction;
import org.fleetgrad.pipeline.cure.Combination.Parts;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.GapPenalty.Where;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;

/** The rules that a {@link Combination} obeys, each with its reason in one sentence. */
public enum CombinationRule {
    GPIPE_RECOMPUTES(
            parts -> when(
                    is(parts, PipelineSchedule.GPIPE) && !parts.recompute(),
                    "gpipe holds all micro-batches of a step at once, so it needs recomputation: add recompute, or write sync-1f1b")),
    GAP_NOT_WITH_GPIPE(parts -> when(
            is(parts, PipelineSchedule.GPIPE) && parts.gapPenalty().isPresent(),
            "gpipe has no staleness, so there is no gap to penalize: leave gap-aware out")),
    GAP_PER_MICRO_BATCH(parts -> when(
            parts.gapPenalty().isPresent() && parts.schedule().stepEvery() > 1,
            "gap-aware penalizes one micro-batch by one gap, but a step here has %d: write step-every=1"
                    .formatted(parts.schedule().stepEvery()))),
    GAP_OF_ADAM_NEEDS_STASH(parts -> when(
            parts.gapPenalty().isPresent() && !parts.stash() && !(parts.optimizer() instanceof SgdSettings),
            "gap-aware over %s measures the gap to the stashed weights: add stash".formatted(parts.optimizer()))),
    GAP_WITHOUT_STASH_AT_DEPTH_ONE(
            parts -> when(
                    !parts.stash()
                            && parts.gapPenalty()
                                    .filter(penalty -> penalty.where() != Where.DEPTH_ONE)
                                    .isPresent(),
                    "without stashed weights gap-aware can estimate a gap over one step only: add stash, or write gap-aware for the last stage but one")),
    LOSS_ONLY_NEEDS_STASH(parts -> when(
            isLossOnly(parts) && !parts.stash(),
            "gap-aware only for the loss measures the gap to the stashed weights: add stash")),
    LOSS_ONLY_NEEDS_RECOMPUTATION(
            parts -> when(
                    isLossOnly(parts) && !parts.recompute(),
                    "gap-aware only for the loss goes backward on the present weights, for which it computes the activations again: add recompute")),
    LOSS_ONLY_NOT_WITH_ADAMW(
            parts -> when(
                    isLossOnly(parts) && parts.optimizer() instanceof AdamWSettings,
                    "gap-aware only for the loss is not defined for AdamW, whose decay is not part of the gradient: write Adam or SGD, or leave it out")),
    GAP_FITS_OPTIMIZER(parts ->
            parts.gapPenalty().flatMap(penalty -> refusal(() -> penalty.rule().requireFits(parts.optimizer())))),
    SCHEDULE_AWARE_IS_FOR_ADAM(parts -> when(
            parts.prediction().filter(StagePrediction::scheduleAware).isPresent()
                    && parts.optimizer() instanceof SgdSettings,
            "a schedule-aware prediction is defined for Adam and AdamW, not for SGD: leave schedule-aware out")),
    PREDICTION_FITS_OPTIMIZER(parts -> parts.prediction()
            .flatMap(
                    prediction -> refusal(() -> WeightPrediction.requireFits(prediction.method(), parts.optimizer())))),
    NESTEROV_NEEDS_STALENESS(parts -> when(
            parts.prediction().filter(StagePrediction::nesterov).isPresent()
                    && parts.schedule().schedule().isSynchronous(),
            "%s has no staleness, so nothing is predicted but Nesterov's own step: write nesterov=true for the optimizer, and no prediction"
                    .formatted(parts.schedule().schedule().text()))),
    NESTEROV_NEEDS_MOMENTUM(parts -> when(
            parts.prediction().filter(StagePrediction::nesterov).isPresent()
                    && parts.optimizer() instanceof SgdSettings sgd
                    && (sgd.momentum() == 0 || sgd.dampening() != 0),
            "a prediction with Nesterov's momentum needs a momentum and no dampening, the optimizer is %s: write a momentum, or leave Nesterov out"
                    .formatted(parts.optimizer())));

    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<Parts, Optional<String>> refusal;

    CombinationRule(Function<Parts, Optional<String>> refusal) {
        this.refusal = refusal;
    }

    void check(Parts parts) {
        refusal.apply(parts).ifPresent(message -> {
            throw new IllegalCombinationException(this, message);
        });
    }

    private static boolean is(Parts parts, PipelineSchedule schedule) {
        return parts.schedule().schedule() == schedule;
    }

    private static boolean isLossOnly(Parts parts) {
        return parts.gapPenalty().filter(GapPenalty::onlyForLoss).isPresent();
    }

    private static Optional<String> when(boolean isIllegal, String message) {
        return isIllegal ? Optional.of(message) : Optional.empty();
    }

    private static Optional<String> refusal(Runnable check) {
        try {
            check.run();
            return Optional.empty();
        } catch (IllegalArgumentException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }

    /** Parts of a {@link Combination} are not compatible. The message is the rule, with what to write instead. */
    public static final class IllegalCombinationException extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        private final CombinationRule rule;

        IllegalCombinationException(CombinationRule rule, String message) {
            super(message);
            this.rule = rule;
        }

        /** Returns the broken rule. */
        public CombinationRule rule() {
            return rule;
        }
    }
}

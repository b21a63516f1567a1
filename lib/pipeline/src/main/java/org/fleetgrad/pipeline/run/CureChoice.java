package org.fleetgrad.pipeline.run;

import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;

/**
 * How a pipeline trains, as plain values: the parts of a {@link Combination}.
 *
 * @param schedule      such as 1f1b
 * @param stepEvery     micro-batches of a step
 * @param supremum      exclusive upper bound of the staleness, with virtual-1f1b; 0 for the number of stages
 * @param stash         whether the backward pass uses the weights of the forward pass
 * @param predict       msnag, aggmsnag, or empty for no prediction
 * @param lookAhead     whether a prediction without staleness looks one step ahead, as Nesterov's momentum
 * @param scheduleAware whether a prediction uses the scheduled learning rates of future steps
 * @param gapAware      all, loss, or empty for no penalty
 * @param recompute     whether activations are recomputed
 * @param clipNorm      largest global gradient norm; 0 for none
 */
public record CureChoice(
        String schedule,
        int stepEvery,
        int supremum,
        boolean stash,
        String predict,
        boolean lookAhead,
        boolean scheduleAware,
        String gapAware,
        boolean recompute,
        double clipNorm) {

    private static final String ONLY_LOSS = "loss";

    /**
     * Returns the combination.
     *
     * @throws IllegalArgumentException if its parts are not compatible, with the rule
     */
    public Combination combination(OptimizerSettings optimizer) {
        return new Combination(
                settings(),
                optimizer,
                stash,
                predict.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new StagePrediction(method(), lookAhead, scheduleAware)),
                gapAware.isEmpty() ? Optional.empty() : Optional.of(penalty()),
                recompute,
                clipNorm > 0 ? (float) clipNorm : 0);
    }

    /** Returns the schedule. */
    public PipelineScheduleSettings settings() {
        PipelineSchedule named = PipelineSchedule.of(schedule);
        return new PipelineScheduleSettings(named, stepEvery, supremum, named == PipelineSchedule.GPIPE);
    }

    private Method method() {
        for (Method method : Method.values()) {
            if (method.name().toLowerCase(Locale.ROOT).equals(predict)) {
                return method;
            }
        }
        throw new IllegalArgumentException("there is no prediction '%s': write msnag or aggmsnag".formatted(predict));
    }

    private GapPenalty penalty() {
        GapPenalty usual = GapPenalty.customary();
        // Without a stash the gap can be estimated over one step only.
        GapPenalty.Where where = stash ? usual.where() : GapPenalty.Where.DEPTH_ONE;
        return new GapPenalty(usual.rule(), where, gapAware.equals(ONLY_LOSS));
    }
}

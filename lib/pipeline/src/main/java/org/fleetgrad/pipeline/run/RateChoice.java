package org.fleetgrad.pipeline.run;

import java.util.List;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.pipeline.training.StageSettings.StepRates;

/**
 * The learning rate over a run, as plain values; lengths are in samples.
 *
 * @param kind          constant, step, milestones or cosine
 * @param learningRate  the first one
 * @param stepSamples   of step: samples between two decays
 * @param milestones    of milestones
 * @param gamma         factor of each decay
 * @param totalSamples  of cosine: samples until the minimum
 * @param minimum       of cosine
 * @param warmupSamples samples of the warm-up; 0 for none
 */
public record RateChoice(
        String kind,
        double learningRate,
        long stepSamples,
        List<Long> milestones,
        double gamma,
        long totalSamples,
        double minimum,
        long warmupSamples) {

    public RateChoice {
        milestones = List.copyOf(milestones);
    }

    /** Returns a constant learning rate. */
    public static RateChoice constant(double learningRate) {
        return new RateChoice("constant", learningRate, 0, List.of(), 0, 0, 0, 0);
    }

    /**
     * Returns the schedule.
     *
     * @throws IllegalArgumentException if the kind is unknown, or its values are wrong
     */
    public LearningRateSchedule schedule() {
        float base = (float) learningRate;
        LearningRateSchedule plain = switch (kind) {
            case "constant" -> new LearningRateSchedule.Constant(base);
            case "step" -> new LearningRateSchedule.StepDecay(base, stepSamples, (float) gamma);
            case "milestones" -> new LearningRateSchedule.Milestones(base, milestones, (float) gamma);
            case "cosine" -> new LearningRateSchedule.Cosine(base, totalSamples, (float) minimum);
            default -> throw new IllegalArgumentException("there is no learning-rate schedule '%s'".formatted(kind));
        };
        return warmupSamples == 0 ? plain : new LearningRateSchedule.LinearWarmup(warmupSamples, plain);
    }

    /** Returns the learning rate of each step, by the number of samples before it. */
    public StepRates rates(Windows windows) {
        LearningRateSchedule schedule = schedule();
        return step -> schedule.at(windows.order().samplesBefore(windows.firstOf(step)));
    }
}

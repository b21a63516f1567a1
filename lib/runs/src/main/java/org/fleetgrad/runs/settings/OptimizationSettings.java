package org.fleetgrad.runs.settings;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.RatePatterns;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * What a step of a run does.
 *
 * @param optimizer      the optimizer
 * @param learningRate   its first learning rate
 * @param schedule       of the learning rate, in epochs
 * @param clipNorm       largest norm of a worker's gradient, which is scaled down to it; 0 for none
 * @param labelSmoothing share of a label that is spread over all classes
 * @param imbalance      what is done about rare classes
 * @param freeze         the tensors that no step changes
 * @param rates          factors of the learning rate for some tensors
 * @param local          the steps that workers make by themselves between two pushes; absent if they push gradients
 */
public record OptimizationSettings(
        OptimizerSpec optimizer,
        double learningRate,
        ScheduleSpec schedule,
        double clipNorm,
        double labelSmoothing,
        ImbalanceSettings imbalance,
        FreezePatterns freeze,
        RatePatterns rates,
        Optional<LocalSteps> local) {

    /** The momentum of SGD in a run that names none. */
    public static final float MOMENTUM = 0.9f;

    /** The learning rate of SGD as the outer optimizer of local steps, in a run that names none; DiLoCo's. */
    public static final double OUTER_LEARNING_RATE = 0.7;

    /** SGD with momentum: a run without options and with one worker. */
    public static final OptimizationSettings DEFAULT = new OptimizationSettings(
            OptimizerSpec.parse("sgd:momentum=" + MOMENTUM), 0.01, ScheduleSpec.CONSTANT, 0, 0);

    /** The settings of a run that trains all tensors with one learning rate. */
    public OptimizationSettings(
            OptimizerSpec optimizer,
            double learningRate,
            ScheduleSpec schedule,
            double clipNorm,
            double labelSmoothing) {
        this(
                optimizer,
                learningRate,
                schedule,
                clipNorm,
                labelSmoothing,
                ImbalanceSettings.NONE,
                FreezePatterns.NONE,
                RatePatterns.NONE,
                Optional.empty());
    }

    /** Returns whether all tensors are trained, with one learning rate. */
    public boolean isPlain() {
        return freeze.isEmpty() && rates.isEmpty();
    }

    /** Returns the same settings with other frozen tensors and other factors. */
    public OptimizationSettings tuning(FreezePatterns tensors, RatePatterns factors) {
        return new OptimizationSettings(
                optimizer, learningRate, schedule, clipNorm, labelSmoothing, imbalance, tensors, factors, local);
    }

    /** Returns the same settings for a dataset with rare classes. */
    public OptimizationSettings with(ImbalanceSettings classes) {
        return new OptimizationSettings(
                optimizer, learningRate, schedule, clipNorm, labelSmoothing, classes, freeze, rates, local);
    }

    /** Returns the same settings with other local steps. */
    public OptimizationSettings with(Optional<LocalSteps> steps) {
        return new OptimizationSettings(
                optimizer, learningRate, schedule, clipNorm, labelSmoothing, imbalance, freeze, rates, steps);
    }

    /**
     * Returns the learning-rate schedule with its lengths in samples.
     *
     * @param samples of an epoch
     * @param epochs  of the run
     * @throws RunFailedException if two milestones of a tiny dataset are at the same sample
     */
    public ScheduleSpec scheduleInSamples(long samples, int epochs) throws RunFailedException {
        try {
            return schedule.inSamples(samples, epochs);
        } catch (IllegalArgumentException wrong) {
            throw RunFailedException.input(
                    "--learning-rate-schedule with epochs of %d samples: %s".formatted(samples, wrong.getMessage()));
        }
    }

    /**
     * Returns ps-service's settings as environment variables.
     *
     * @param samples of an epoch
     * @param epochs  of the run
     * @throws RunFailedException as {@link #scheduleInSamples} does
     */
    public Map<String, String> environment(long samples, int epochs) throws RunFailedException {
        Map<String, String> variables = new TreeMap<>();
        variables.put("PS_SCHEDULE", scheduleInSamples(samples, epochs).toString());
        variables.put("PS_OPTIMIZER", optimizer.toString());
        variables.put("PS_LEARNINGRATE", Double.toString(learningRate));
        if (!freeze.isEmpty()) {
            variables.put("PS_FREEZE", freeze.toString());
        }
        if (!rates.isEmpty()) {
            variables.put("PS_RATEFOR", rates.toString());
        }
        local.ifPresent(steps -> {
            variables.put("PS_LOCAL_STEPS", Integer.toString(steps.steps()));
            variables.put("PS_LOCAL_OPTIMIZER", steps.inner().toString());
            variables.put("PS_LOCAL_LEARNINGRATE", Double.toString(steps.learningRate()));
        });
        return variables;
    }
}

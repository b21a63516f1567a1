package org.fleetgrad.runs.settings;

import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * What a step of a run does.
 *
 * @param optimizer      the optimizer
 * @param learningRate   its first learning rate
 * @param schedule       of the learning rate, in epochs
 * @param clipNorm       largest norm of a worker's gradient, which is scaled down to it; 0 for none
 * @param labelSmoothing share of a label that is spread over all classes
 * @param freeze         the tensors that no step changes
 */
public record OptimizationSettings(
        OptimizerSpec optimizer,
        double learningRate,
        ScheduleSpec schedule,
        double clipNorm,
        double labelSmoothing,
        FreezePatterns freeze) {

    /** The momentum of SGD in a run that names none. */
    public static final float MOMENTUM = 0.9f;

    /** SGD with momentum: a run without options and with one worker. */
    public static final OptimizationSettings DEFAULT = new OptimizationSettings(
            OptimizerSpec.parse("sgd:momentum=" + MOMENTUM), 0.01, ScheduleSpec.CONSTANT, 0, 0);

    /** The settings of a run that trains all tensors. */
    public OptimizationSettings(
            OptimizerSpec optimizer,
            double learningRate,
            ScheduleSpec schedule,
            double clipNorm,
            double labelSmoothing) {
        this(optimizer, learningRate, schedule, clipNorm, labelSmoothing, FreezePatterns.NONE);
    }

    /** Returns the same settings for other frozen tensors. */
    public OptimizationSettings freezing(FreezePatterns tensors) {
        return new OptimizationSettings(optimizer, learningRate, schedule, clipNorm, labelSmoothing, tensors);
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
        return variables;
    }
}

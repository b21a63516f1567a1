package org.fleetgrad.runs.settings;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * What a step of a run does.
 *
 * @param optimizer      the optimizer
 * @param learningRate   its first learning rate
 * @param momentum       of SGD; 0 with other optimizers
 * @param isNesterov     whether SGD looks ahead along its momentum
 * @param weightDecay    L2 for SGD and Adam, decoupled for AdamW
 * @param isMatricesOnly whether weight decay skips biases and normalization
 * @param schedule       of the learning rate, in epochs
 * @param clipNorm       largest norm of a worker's gradient, which is scaled down to it; 0 for none
 * @param labelSmoothing share of a label that is spread over all classes
 */
public record OptimizationSettings(
        OptimizerKind optimizer,
        double learningRate,
        double momentum,
        boolean isNesterov,
        double weightDecay,
        boolean isMatricesOnly,
        ScheduleSpec schedule,
        double clipNorm,
        double labelSmoothing) {

    /** The optimizers; the names are ps-service's. */
    public enum OptimizerKind {
        SGD(0.01, 0),
        ADAM(0.001, 0),
        ADAMW(0.001, 0.01);

        private final double learningRate;
        private final double weightDecay;

        OptimizerKind(double learningRate, double weightDecay) {
            this.learningRate = learningRate;
            this.weightDecay = weightDecay;
        }

        /** Returns the learning rate of a run that names none. */
        public double learningRate() {
            return learningRate;
        }

        /** Returns the weight decay of a run that names none: PyTorch's. */
        public double weightDecay() {
            return weightDecay;
        }

        /** Returns the optimizer as ps-service's setting and the command line have it. */
        public String setting() {
            return name().toLowerCase(Locale.ROOT);
        }

        @Override
        public String toString() {
            return setting();
        }
    }

    private static final double MOMENTUM = 0.9;

    /** SGD with momentum: a run without options and with one worker. */
    public static final OptimizationSettings DEFAULT = new OptimizationSettings(
            OptimizerKind.SGD,
            OptimizerKind.SGD.learningRate(),
            MOMENTUM,
            false,
            0,
            false,
            ScheduleSpec.CONSTANT,
            0,
            0);

    /** Returns these settings with another weight decay. */
    public OptimizationSettings withWeightDecay(double decay) {
        return new OptimizationSettings(
                optimizer,
                learningRate,
                momentum,
                isNesterov,
                decay,
                isMatricesOnly,
                schedule,
                clipNorm,
                labelSmoothing);
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
        variables.put("PS_OPTIMIZER_NAME", optimizer.setting());
        variables.put("PS_OPTIMIZER_LEARNINGRATE", Double.toString(learningRate));
        variables.put("PS_OPTIMIZER_WEIGHTDECAY", Double.toString(weightDecay));
        variables.put("PS_OPTIMIZER_DECAYNORMSANDBIASES", Boolean.toString(!isMatricesOnly));
        if (optimizer == OptimizerKind.SGD) {
            variables.put("PS_OPTIMIZER_MOMENTUM", Double.toString(momentum));
            variables.put("PS_OPTIMIZER_NESTEROV", Boolean.toString(isNesterov));
        }
        return variables;
    }
}

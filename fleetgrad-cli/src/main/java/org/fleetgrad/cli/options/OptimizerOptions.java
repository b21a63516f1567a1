package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.runs.settings.OptimizationSettings;
import org.fleetgrad.runs.settings.OptimizationSettings.OptimizerKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say what a step does. */
final class OptimizerOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--optimizer",
            paramLabel = "NAME",
            defaultValue = "sgd",
            description = "Optimizer: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private OptimizerKind optimizer = OptimizerKind.SGD;

    @Option(names = "--learning-rate", description = "Learning rate (default: 0.01; with adam and adamw 0.001)")
    private @Nullable Double learningRate;

    @Option(
            names = "--learning-rate-schedule",
            paramLabel = "SCHEDULE",
            converter = Converters.OfSchedule.class,
            defaultValue = "constant",
            description =
                    "Schedule of the learning rate over the run, in epochs: constant; cosine, to 0 at the end of the"
                            + " last epoch, or cosine:minimum=0.001; step:every=30,gamma=0.1; step:milestones=80,120,gamma=0.1"
                            + " (default: ${DEFAULT-VALUE})")
    private ScheduleSpec schedule = ScheduleSpec.CONSTANT;

    @Option(names = "--momentum", description = "With --optimizer sgd: momentum (default: 0.9)")
    private @Nullable Double momentum;

    @Option(names = "--nesterov", description = "With --optimizer sgd: Nesterov momentum")
    private boolean isNesterov;

    @Option(
            names = "--weight-decay",
            description = "Weight decay: L2 for sgd and adam, decoupled for adamw (default: 0; with adamw 0.01)")
    private @Nullable Double weightDecay;

    @Option(
            names = "--weight-decay-matrices-only",
            description = "Do not decay tensors of one dimension, which are biases and normalization")
    private boolean isMatricesOnly;

    @Option(
            names = "--warmup",
            paramLabel = "EPOCHS",
            defaultValue = "0",
            description = "Epochs over which a factor of the learning rate rises from 0.01 to 1; may be a fraction"
                    + " (default: ${DEFAULT-VALUE})")
    private double warmup;

    @Option(
            names = "--clip-norm",
            paramLabel = "NORM",
            description =
                    "Scale a gradient down to this norm if its norm is larger. 0: no limit (default: 0; with several"
                            + " asynchronous workers 2)")
    private @Nullable Double clipNorm;

    @Option(
            names = "--label-smoothing",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "Share of a label that is spread over all classes (default: ${DEFAULT-VALUE})")
    private double labelSmoothing;

    /**
     * Returns the settings.
     *
     * @param epochs          of the run
     * @param defaultClipNorm largest norm of a gradient if the user names none
     */
    OptimizationSettings settings(int epochs, double defaultClipNorm) {
        boolean isSgd = optimizer == OptimizerKind.SGD;
        double rate = learningRate == null ? optimizer.learningRate() : learningRate;
        double decay = weightDecay();
        double norm = clipNorm == null ? defaultClipNorm : clipNorm;
        double kept = momentum();
        require(command, rate > 0 && isFloat(rate), "--learning-rate must be above 0; it is " + rate);
        require(
                command,
                isSgd || momentum == null,
                "--momentum is an option of --optimizer sgd; the optimizer is %s, whose own averages take its place"
                        .formatted(optimizer));
        require(command, kept >= 0 && kept < 1, "--momentum must be from 0 to below 1; it is " + kept);
        require(
                command,
                isSgd || !isNesterov,
                "--nesterov is an option of --optimizer sgd; the optimizer is " + optimizer);
        require(command, !isNesterov || kept > 0, "--nesterov needs --momentum above 0; it is " + kept);
        require(command, decay >= 0 && isFloat(decay), "--weight-decay must be 0 or more; it is " + decay);
        require(
                command,
                !isMatricesOnly || decay > 0,
                "--weight-decay-matrices-only needs --weight-decay above 0; it is " + decay);
        require(
                command,
                schedule.minimum() <= rate,
                "the minimum of --learning-rate-schedule %s must not be more than --learning-rate, which is %s"
                        .formatted(schedule, rate));
        require(
                command,
                warmup == 0 || schedule.warmup() == 0,
                "--warmup is %s, and --learning-rate-schedule has a warm-up of its own: leave one of them out"
                        .formatted(warmup));
        double rise = warmup == 0 ? schedule.warmup() : warmup;
        require(
                command,
                rise >= 0 && rise <= epochs,
                "--warmup must be from 0 to --epochs, which is %d; it is %s".formatted(epochs, rise));
        require(command, norm >= 0 && isFloat(norm), "--clip-norm must be 0 or more; it is " + norm);
        require(
                command,
                labelSmoothing >= 0 && labelSmoothing < 1,
                "--label-smoothing must be from 0 to below 1; it is " + labelSmoothing);
        return new OptimizationSettings(
                optimizer,
                rate,
                kept,
                isNesterov,
                decay,
                isMatricesOnly,
                schedule.withWarmup(rise),
                norm,
                labelSmoothing);
    }

    /** Returns the optimizer. */
    OptimizerKind optimizer() {
        return optimizer;
    }

    /** Returns whether there is a plain momentum, along which stale gradients can look ahead. */
    boolean hasPlainMomentum() {
        return optimizer == OptimizerKind.SGD && momentum() > 0 && !isNesterov;
    }

    /** Returns the momentum; 0 with an optimizer that has none. */
    double momentum() {
        if (momentum != null) {
            return momentum;
        }
        return optimizer == OptimizerKind.SGD ? OptimizationSettings.DEFAULT.momentum() : 0;
    }

    /** Returns whether the user named a weight decay. */
    boolean hasOwnWeightDecay() {
        return weightDecay != null;
    }

    double weightDecay() {
        return weightDecay == null ? optimizer.weightDecay() : weightDecay;
    }

    private static boolean isFloat(double value) {
        return Float.isFinite((float) value);
    }
}

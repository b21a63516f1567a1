package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.accept;
import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.runs.settings.OptimizationSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say what a step does. */
@HelpGroup(Topic.OPTIMIZER)
final class OptimizerOptions {

    private static final String SGD = "sgd";

    /** What the optimizer steps with. */
    enum Input {
        /** Gradients. */
        GRADIENTS,
        /** How far local steps went from the newest version: DiLoCo's outer optimizer. */
        DISTANCES,
        /** How far they went from an older one. Momentum makes such a run diverge (B. Liu et al., 2024; ADR 60). */
        STALE_DISTANCES
    }

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--optimizer",
            paramLabel = "OPTIMIZER",
            defaultValue = SGD,
            description = "Optimizer: sgd, adam or adamw, with arguments if need be, such as"
                    + " adamw:beta2=0.98,epsilon=1e-6 (default: ${DEFAULT-VALUE})")
    private String optimizer = SGD;

    @Option(
            names = "--learning-rate",
            description = "Learning rate (default: 0.01; with adam and adamw 0.001; with sgd and --local-steps 0.7)")
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

    @Option(
            names = "--momentum",
            description =
                    "With --optimizer sgd: momentum (default: 0.9; with --local-steps and several asynchronous workers 0)")
    private @Nullable Double momentum;

    @Option(
            names = "--nesterov",
            description =
                    "With --optimizer sgd: Nesterov momentum (default: off; with --local-steps and --mode sync on)")
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
     * @param input           what the optimizer steps with
     */
    OptimizationSettings settings(int epochs, double defaultClipNorm, Input input) {
        OptimizerSpec spec = optimizer(input);
        double rate = learningRate == null ? usualLearningRate(spec, input) : learningRate;
        double norm = clipNorm == null ? defaultClipNorm : clipNorm;
        require(command, rate > 0 && isFloat(rate), "--learning-rate must be above 0; it is " + rate);
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
        return new OptimizationSettings(spec, rate, schedule.withWarmup(rise), norm, labelSmoothing);
    }

    private static double usualLearningRate(OptimizerSpec spec, Input input) {
        return input != Input.GRADIENTS && spec.settings() instanceof SgdSettings
                ? OptimizationSettings.OUTER_LEARNING_RATE
                : spec.usualLearningRate();
    }

    /**
     * Returns the optimizer: the words of {@code --optimizer}, and the options beside it. Without a word about it, the momentum of
     * SGD is that which its input stands.
     */
    OptimizerSpec optimizer(Input input) {
        require(
                command,
                momentum == null || (momentum >= 0 && momentum < 1),
                "--momentum must be from 0 to below 1; it is " + momentum);
        require(
                command,
                weightDecay == null || Double.isFinite(weightDecay),
                "--weight-decay must be a finite number, 0 or more; it is " + weightDecay);
        Map<String, String> further = new TreeMap<>();
        if (momentum != null) {
            further.put("momentum", momentum.toString());
        }
        if (isNesterov || (input == Input.DISTANCES && optimizer.equals(SGD) && momentum == null)) {
            further.put("nesterov", "true");
        }
        if (weightDecay != null) {
            further.put("weight-decay", weightDecay.toString());
        }
        if (isMatricesOnly) {
            further.put("matrices-only", "true");
        }
        boolean isWithout = input == Input.STALE_DISTANCES && !isNesterov;
        float usual = isWithout ? 0 : OptimizationSettings.MOMENTUM;
        OptimizerSpec read = accept(command, "--optimizer", () -> OptimizerSpec.parse(optimizer, further, usual));
        require(
                command,
                !(read.settings() instanceof SgdSettings sgd) || sgd.momentum() < 1,
                "--optimizer: the momentum must be below 1; the optimizer is " + read);
        return read;
    }

    private static boolean isFloat(double value) {
        return Float.isFinite((float) value);
    }
}

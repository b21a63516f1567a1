package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.accept;
import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Optional;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.OptimizerSpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options for workers that make several steps between two pushes. */
@HelpGroup(Topic.OPTIMIZER)
final class LocalStepsOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--local-steps",
            paramLabel = "K",
            defaultValue = "1",
            description = "Steps that a worker makes by itself between two pushes; it pushes how far they went, and"
                    + " --optimizer steps with that. 1: it pushes gradients (default: ${DEFAULT-VALUE})")
    private int steps = 1;

    @Option(
            names = "--inner-optimizer",
            paramLabel = "OPTIMIZER",
            description = "With --local-steps: optimizer of these steps, in the form of --optimizer (default: adamw)")
    private @Nullable String optimizer;

    @Option(
            names = "--inner-learning-rate",
            paramLabel = "RATE",
            description = "With --local-steps: its learning rate (default: 0.001; with sgd 0.01)")
    private @Nullable Double learningRate;

    /** Returns the local steps; empty if workers push gradients. */
    Optional<LocalSteps> settings() {
        require(
                command,
                steps >= 1 && steps <= LocalSteps.MOST,
                "--local-steps must be from 1 to %d; it is %d".formatted(LocalSteps.MOST, steps));
        require(
                command,
                steps > 1 || (optimizer == null && learningRate == null),
                "--inner-optimizer and --inner-learning-rate are options of --local-steps, which is 1: write 2 or more, or leave them out");
        if (steps == 1) {
            return Optional.empty();
        }
        OptimizerSpec inner = accept(
                command,
                "--inner-optimizer",
                () -> OptimizerSpec.parse(Optional.ofNullable(optimizer).orElse("adamw")));
        double rate = learningRate == null ? inner.usualLearningRate() : learningRate;
        return Optional.of(accept(command, "--inner-learning-rate", () -> new LocalSteps(steps, inner, rate)));
    }
}

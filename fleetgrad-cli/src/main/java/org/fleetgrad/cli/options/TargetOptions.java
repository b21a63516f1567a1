package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.reports.RunTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options with the held-out result at which a run ends. */
@HelpGroup(Topic.END)
public final class TargetOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--target-accuracy",
            description = "Stop at this held-out accuracy (default: 0.98, on generated digits 0.97, on a text, on"
                    + " numbers and on several labels none)")
    private @Nullable Double accuracy;

    @Option(names = "--target-loss", description = "Stop at this held-out loss, or a smaller one (default: none)")
    private @Nullable Double loss;

    @Option(
            names = "--target-r2",
            description = "Stop at this coefficient of determination of predicted numbers (default: none)")
    private @Nullable Double r2;

    @Option(
            names = "--target-micro-f1",
            description = "Stop at this micro F1 of several labels, that of all of them together (default: none)")
    private @Nullable Double microF1;

    /** Returns the target; empty for the default of the dataset. */
    Optional<RunTarget> target() {
        requireShare("--target-accuracy", accuracy);
        require(
                command,
                loss == null || (loss > 0 && loss < Double.POSITIVE_INFINITY),
                "--target-loss must be above 0; it is " + loss);
        requireShare("--target-r2", r2);
        requireShare("--target-micro-f1", microF1);
        require(
                command,
                Stream.of(accuracy, loss, r2, microF1).filter(Objects::nonNull).count() <= 1,
                "--target-accuracy, --target-loss, --target-r2 and --target-micro-f1 exclude each other");
        return Optional.of(RunTarget.of(accuracy, loss, r2, microF1))
                .filter(target -> !(target instanceof RunTarget.None));
    }

    private void requireShare(String option, @Nullable Double value) {
        require(
                command,
                value == null || (value > 0 && value <= 1),
                "%s must be above 0 and up to 1; it is %s".formatted(option, value));
    }
}

package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.accept;
import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Map;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.optim.Aggregation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options for robustness against bad workers. */
@HelpGroup(Topic.SERVER)
final class BadWorkerOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--aggregation",
            paramLabel = "RULE",
            defaultValue = "mean",
            description =
                    "With --mode sync: how the gradients of a step are combined: mean, median, trimmed-mean, krum."
                            + " All but mean tolerate a few bad workers (default: ${DEFAULT-VALUE})")
    private String aggregation = "mean";

    @Option(
            names = "--outliers",
            paramLabel = "N",
            description = "With --aggregation trimmed-mean or krum: number of bad workers to tolerate (default: 1)")
    private @Nullable Integer outliers;

    @Option(
            names = "--max-gradient-norm",
            paramLabel = "NORM",
            defaultValue = "0",
            description = "Largest norm of a gradient that the server accepts; it refuses a larger one. 0: no limit"
                    + " (default: ${DEFAULT-VALUE})")
    private double largestNorm;

    Aggregation aggregation() {
        return accept(
                command,
                "--aggregation",
                () -> Aggregation.parse(
                        aggregation, outliers == null ? Map.of() : Map.of("outliers", outliers.toString())));
    }

    double largestNorm() {
        require(
                command,
                largestNorm >= 0 && Double.isFinite(largestNorm),
                "--max-gradient-norm must be a finite number, 0 or more; it is " + largestNorm);
        return largestNorm;
    }
}

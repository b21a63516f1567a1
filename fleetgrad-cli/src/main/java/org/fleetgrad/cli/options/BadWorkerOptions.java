package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.OptionalInt;
import org.fleetgrad.runs.settings.BadWorkers;
import org.fleetgrad.runs.settings.BadWorkers.Aggregation;
import org.fleetgrad.runs.settings.ServerSettings.Mode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options for robustness against bad workers. */
final class BadWorkerOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--aggregation",
            paramLabel = "RULE",
            defaultValue = "mean",
            description =
                    "With --mode sync: how the gradients of a step are combined: ${COMPLETION-CANDIDATES}. All but"
                            + " mean tolerate a few bad workers (default: ${DEFAULT-VALUE})")
    private Aggregation aggregation = Aggregation.MEAN;

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

    BadWorkers settings(Mode mode) {
        require(
                command,
                aggregation == Aggregation.MEAN || mode == Mode.SYNC,
                "--aggregation %s is an option of --mode sync; the mode is %s".formatted(aggregation, mode.setting()));
        require(
                command,
                outliers == null || aggregation.countsOutliers(),
                "--outliers is an option of --aggregation trimmed-mean and krum; the aggregation is " + aggregation);
        require(command, outliers == null || outliers >= 1, "--outliers must be 1 or more; it is " + outliers);
        require(
                command,
                largestNorm >= 0 && Double.isFinite(largestNorm),
                "--max-gradient-norm must be a finite number, 0 or more; it is " + largestNorm);
        return new BadWorkers(
                aggregation, outliers == null ? OptionalInt.empty() : OptionalInt.of(outliers), largestNorm);
    }
}

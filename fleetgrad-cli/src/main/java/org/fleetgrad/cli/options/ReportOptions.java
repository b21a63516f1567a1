package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.nio.file.Path;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.reports.Prices;
import org.fleetgrad.runs.settings.BaselineSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of a run's report: prices, and a run on one machine to compare with. */
@HelpGroup(Topic.PRICES)
public final class ReportOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--gb-second-price",
            paramLabel = "PRICE",
            description = "Price of a GB (2^30 bytes) of a worker's memory for a second, for the report")
    private @Nullable Double gbSecond;

    @Option(
            names = "--activation-price",
            paramLabel = "PRICE",
            description = "Price of an activation, in addition to its memory")
    private @Nullable Double activation;

    @Option(
            names = "--machine-hour-price",
            paramLabel = "PRICE",
            description = "Price of an hour of this machine, which runs the parameter server and the baseline")
    private @Nullable Double machineHour;

    @Option(
            names = "--currency",
            defaultValue = "USD",
            description = "Currency of the prices (default: ${DEFAULT-VALUE})")
    private String currency = "USD";

    @Option(
            names = "--baseline",
            description =
                    "First train with one worker on this machine, with the same settings, and show both runs in the"
                            + " report")
    private boolean isTrained;

    @Option(
            names = "--baseline-from",
            paramLabel = "DIR",
            description = "Compare with an earlier run of --invoker local; DIR is its folder")
    private @Nullable Path earlier;

    Prices prices() {
        requirePrice("--gb-second-price", gbSecond);
        requirePrice("--activation-price", activation);
        requirePrice("--machine-hour-price", machineHour);
        return new Prices(gbSecond, activation, machineHour, currency);
    }

    private void requirePrice(String option, @Nullable Double price) {
        require(
                command,
                price == null || (price >= 0 && price < Double.POSITIVE_INFINITY),
                option + " must be 0 or more; it is " + price);
    }

    BaselineSettings baseline() {
        require(
                command,
                !isTrained || earlier == null,
                "--baseline trains a baseline, --baseline-from takes an earlier run: pass one of them");
        if (earlier != null) {
            return new BaselineSettings.Earlier(earlier);
        }
        return isTrained ? new BaselineSettings.Trained() : new BaselineSettings.None();
    }
}

package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.nio.file.Path;
import org.fleetgrad.cli.report.Prices;
import org.fleetgrad.cli.settings.BaselineSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What a run's report holds it against. */
public final class ReportOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--gb-second-price",
            paramLabel = "PRICE",
            description = "What a GB (2^30 bytes) of a worker's memory costs for a second, for the report")
    private @Nullable Double gbSecond;

    @Option(names = "--activation-price", paramLabel = "PRICE", description = "What an activation costs beside it")
    private @Nullable Double activation;

    @Option(
            names = "--machine-hour-price",
            paramLabel = "PRICE",
            description =
                    "What an hour of this machine costs: of the parameter server, and of a run on this machine alone")
    private @Nullable Double machineHour;

    @Option(names = "--currency", defaultValue = "USD", description = "What prices are in (default: ${DEFAULT-VALUE})")
    private String currency = "USD";

    @Option(
            names = "--baseline",
            description = "Train the same with one worker on this machine first, and show both in the report")
    private boolean isTrained;

    @Option(
            names = "--baseline-from",
            paramLabel = "DIR",
            description = "Take an earlier run of --invoker local for that, by its folder")
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
                "--baseline trains one, --baseline-from takes an earlier one: write one of them");
        if (earlier != null) {
            return new BaselineSettings.Earlier(earlier);
        }
        return isTrained ? new BaselineSettings.Trained() : new BaselineSettings.None();
    }
}

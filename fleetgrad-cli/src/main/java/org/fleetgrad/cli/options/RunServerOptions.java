package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.cli.settings.DurabilityMode;
import org.fleetgrad.cli.settings.Mode;
import org.fleetgrad.cli.settings.ServerSettings;
import org.fleetgrad.cli.settings.Staleness;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What a run's parameter server is to do. */
final class RunServerOptions {

    private static final int MOST_SERVERS = 16;
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--mode", defaultValue = "async", description = "async, sync or ssp (default: ${DEFAULT-VALUE})")
    private Mode mode = Mode.ASYNC;

    @Option(
            names = "--backup-workers",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --mode sync: workers that a step does not wait for (default: ${DEFAULT-VALUE})")
    private int backupWorkers;

    @Option(
            names = "--max-staleness",
            paramLabel = "N",
            description = "With --mode ssp: iterations that a worker may be ahead of the slowest (default: 3)")
    private @Nullable Integer maxStaleness;

    @Option(
            names = "--staleness",
            paramLabel = "RULE",
            defaultValue = "none",
            description = "What is done about stale gradients: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Staleness staleness = Staleness.NONE;

    @Option(
            names = "--durability",
            paramLabel = "MODE",
            defaultValue = "checkpoint",
            description =
                    "What outlives the parameter server: none; checkpoint, every 10 seconds; journal, every gradient."
                            + " With the last two a server that dies is started again (default: ${DEFAULT-VALUE})")
    private DurabilityMode durability = DurabilityMode.CHECKPOINT;

    @Option(
            names = "--resume",
            paramLabel = "PATH",
            description = "Begin from an earlier run's folder, a folder of checkpoints, or a safetensors file")
    private @Nullable String resume;

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Parameter servers that have a part of the parameters each (default: ${DEFAULT-VALUE})")
    private int servers = 1;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Time from a worker's call until it counts as gone, such as 500ms (default: 30s)")
    private @Nullable Duration lease;

    ServerSettings settings(int workers, double momentum) {
        require(
                command,
                backupWorkers >= 0 && backupWorkers < workers,
                "--backup-workers must be from 0 to below --workers, which is %d; it is %d"
                        .formatted(workers, backupWorkers));
        require(
                command,
                backupWorkers == 0 || mode == Mode.SYNC,
                "--backup-workers is an option of --mode sync; the mode is " + mode.setting());
        require(
                command,
                maxStaleness == null || maxStaleness >= 0,
                "--max-staleness must be 0 or more; it is " + maxStaleness);
        require(
                command,
                maxStaleness == null || mode == Mode.SSP,
                "--max-staleness is an option of --mode ssp; the mode is " + mode.setting());
        require(
                command,
                staleness == Staleness.NONE || mode != Mode.SYNC,
                "--staleness %s never acts with --mode sync, where no gradient is stale; write none, or --mode async"
                        .formatted(staleness));
        require(
                command,
                !staleness.wantsMomentum() || momentum > 0,
                "--staleness %s wants --momentum above 0; it is %s".formatted(staleness, momentum));
        require(
                command,
                lease == null || lease.compareTo(SHORTEST_LEASE) >= 0,
                "--lease must be 100ms or more; it is " + (lease == null ? "" : lease.toMillis() + "ms"));
        require(
                command,
                servers >= 1 && servers <= MOST_SERVERS,
                "--servers must be from 1 to %d; it is %d".formatted(MOST_SERVERS, servers));
        return new ServerSettings(
                mode,
                backupWorkers,
                maxStaleness == null ? OptionalInt.empty() : OptionalInt.of(maxStaleness),
                staleness,
                durability,
                Optional.ofNullable(resume),
                servers,
                Optional.ofNullable(lease));
    }
}

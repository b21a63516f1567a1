package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.runs.settings.InvokerSettings;
import org.fleetgrad.runs.settings.NetworkSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.ServerSettings;
import org.fleetgrad.runs.settings.Until;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that {@code demo} and {@code train} have in common. */
@HelpGroup(Topic.TRAINING)
public final class TrainingOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Mixin
    private final DataOptions data = new DataOptions();

    @Mixin
    private final NetworkOptions network = new NetworkOptions();

    @HelpGroup(Topic.WORKERS)
    @Option(names = "--workers", defaultValue = "2", description = "Number of workers (default: ${DEFAULT-VALUE})")
    private int workers;

    @Mixin
    private final RunServerOptions server = new RunServerOptions();

    @Mixin
    private final TransferOptions transfer = new TransferOptions();

    @Option(
            names = "--epochs",
            defaultValue = "20",
            description = "Passes over the dataset, at most (default: ${DEFAULT-VALUE})")
    private int epochs;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Option(names = "--batch-size", defaultValue = "32", description = "Samples of a batch (default: ${DEFAULT-VALUE})")
    private int batchSize;

    @Option(
            names = "--update-interval",
            defaultValue = "1",
            description = "Number of batches whose mean gradient is pushed (default: ${DEFAULT-VALUE})")
    private int updateInterval;

    @HelpGroup(Topic.END)
    @Option(
            names = "--max-steps",
            paramLabel = "N",
            description =
                    "Stop after this many steps; each worker ends after the batch that it computes then (default: no limit)")
    private @Nullable Long maxSteps;

    @HelpGroup(Topic.END)
    @Option(
            names = "--until",
            paramLabel = "STEP|EPOCHSe",
            converter = Converters.OfUntil.class,
            description =
                    "Pause here: at a step, such as 500, or after epochs, such as 1.5e, counted with those of the"
                            + " state that --resume names; without a target, only this and --epochs end the run (default: no limit)")
    private @Nullable Until until;

    @Mixin
    private final PatienceOptions patience = new PatienceOptions();

    @Mixin
    private final OptimizerOptions optimizer = new OptimizerOptions();

    @Mixin
    private final LocalStepsOptions localSteps = new LocalStepsOptions();

    @Mixin
    private final ImbalanceOptions imbalance = new ImbalanceOptions();

    @Mixin
    private final FineTuningOptions fineTuning = new FineTuningOptions();

    @Mixin
    private final SampleOptions samples = new SampleOptions();

    @HelpGroup(Topic.OUTPUT)
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write to this folder: the model, the curves, the report and the logs (default: runs/<time>)")
    private @Nullable Path out;

    @Mixin
    private final TrackingOptions tracking = new TrackingOptions();

    @Mixin
    private final StartOptions start = new StartOptions();

    @HelpGroup(Topic.END)
    @Option(names = "--keep", description = "Continue to train and to serve after the target is reached, until Ctrl-C")
    private boolean keep;

    @HelpGroup(Topic.OUTPUT)
    @Option(names = "--json", description = "Print the result as JSON: one object, the last line of stdout")
    private boolean json;

    public boolean isJson() {
        return json;
    }

    /** Returns whether progress is printed as lines for a log. */
    public boolean isPlain() {
        return start.isPlain();
    }

    /** Returns the settings of {@code demo}: a fixed number of processes on this machine, without prices. */
    public RunSettings settings() {
        return settings(new InvokerOptions(), new FleetOptions(), new ReportOptions(), new ServingOptions());
    }

    public RunSettings settings(
            InvokerOptions places, FleetOptions fleet, ReportOptions report, ServingOptions serving) {
        require(command, workers >= 1 && workers <= 256, "--workers must be from 1 to 256; it is " + workers);
        require(command, epochs >= 1, "--epochs must be 1 or more; it is " + epochs);
        require(command, batchSize >= 1, "--batch-size must be 1 or more; it is " + batchSize);
        require(command, updateInterval >= 1, "--update-interval must be 1 or more; it is " + updateInterval);
        require(command, maxSteps == null || maxSteps >= 1, "--max-steps must be 1 or more; it is " + maxSteps);
        NetworkSettings trained = network.settings();
        InvokerSettings invoker = places.settings(trained.devices());
        Optional<LocalSteps> local = localSteps.settings();
        OptimizerOptions.Input input = input(local);
        ServerSettings asked =
                server.settings(workers, optimizer.optimizer(input).settings(), network.folder());
        return new RunSettings(
                data.settings(),
                trained,
                workers,
                fleet.elastic(workers),
                invoker,
                asked,
                transfer.settings(asked.mode(), local),
                epochs,
                target.target(),
                batchSize,
                updateInterval,
                optimizer
                        .settings(epochs, asked.defaultClipNorm(workers), input)
                        .with(local)
                        .with(imbalance.settings())
                        .tuning(fineTuning.freeze(), fineTuning.rates()),
                maxSteps == null ? OptionalLong.empty() : OptionalLong.of(maxSteps),
                Optional.ofNullable(until),
                patience.settings(),
                samples.seed(),
                samples.train(),
                samples.test(),
                Optional.ofNullable(out),
                tracking.settings(),
                report.prices(),
                report.baseline(),
                fleet.store(),
                keep,
                serving.settings(invoker),
                start.timeout());
    }

    private OptimizerOptions.Input input(Optional<LocalSteps> local) {
        if (local.isEmpty()) {
            return OptimizerOptions.Input.GRADIENTS;
        }
        return server.isStale(workers) ? OptimizerOptions.Input.STALE_DISTANCES : OptimizerOptions.Input.DISTANCES;
    }
}

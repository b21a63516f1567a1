package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.pipelineruns.PipelineSettings;
import org.fleetgrad.pipelineruns.PipelineSettings.StagePlaces;
import org.fleetgrad.reports.Prices;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.resume.ModelFolder;
import org.fleetgrad.runs.settings.BaselineSettings;
import org.fleetgrad.runs.settings.CheckpointPace;
import org.fleetgrad.runs.settings.InvokerSettings;
import org.fleetgrad.runs.settings.OptimizationSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.ServerSettings;
import org.fleetgrad.runs.settings.ServerSettings.DurabilityMode;
import org.fleetgrad.runs.settings.ServingSettings;
import org.fleetgrad.runs.settings.StartingPoint;
import org.fleetgrad.runs.settings.TransferSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of {@code pipeline}. */
@HelpGroup(Topic.STAGES)
public final class PipelineOptions {

    /** Not a pipeline schedule: data-parallel workers with the parameter server. */
    public static final String DATA_PARALLEL = "ddp";

    private static final long SMALLEST = 128L << 20;

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Mixin
    private final DataOptions data = new DataOptions();

    @Mixin
    private final NetworkOptions network = new NetworkOptions();

    @Option(
            names = "--stages",
            paramLabel = "P",
            defaultValue = "2",
            description = "Number of stages that the network is cut into; --places says where they run (default:"
                    + " ${DEFAULT-VALUE})")
    private int stages;

    @Option(
            names = "--places",
            defaultValue = "processes",
            description =
                    "Where stages run: threads of one process, processes of this machine, or docker, containers of"
                            + " this machine's Docker (default: ${DEFAULT-VALUE})")
    private StagePlaces places = StagePlaces.PROCESSES;

    @Mixin
    private final CureOptions cures = new CureOptions();

    @Option(
            names = "--micro-batch",
            paramLabel = "N",
            defaultValue = "32",
            description =
                    "Samples of a micro-batch; a step takes --step-every micro-batches (default: ${DEFAULT-VALUE})")
    private int microBatch;

    @Option(
            names = "--flush",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Flush every N steps: drain the pipeline, then store and publish the whole network. Each epoch"
                            + " ends with a flush too (default: only at the end of each epoch)")
    private long flush;

    @HelpGroup(Topic.TRAINING)
    @Option(names = "--epochs", defaultValue = "1", description = "Passes over the dataset (default: ${DEFAULT-VALUE})")
    private int epochs;

    @HelpGroup(Topic.END)
    @Option(names = "--max-steps", paramLabel = "N", description = "Stop after this many steps (default: no limit)")
    private @Nullable Long maxSteps;

    @Mixin
    private final PatienceOptions patience = new PatienceOptions();

    @Option(
            names = "--cut",
            paramLabel = "HOW",
            defaultValue = "auto",
            description = "Where the network is cut: auto, by the measured time of its blocks; bytes, by memory; or the"
                    + " names of the blocks that begin the second stage and those after it, such as layer2.0,fc"
                    + " (default: ${DEFAULT-VALUE})")
    private String cut = "auto";

    @HelpGroup(Topic.OUTPUT)
    @Option(
            names = "--plan",
            description = "Print the plan: the cut with time, parameters and peak memory of each stage; and exit")
    private boolean isPlan;

    @Mixin
    private final StartOptions start = new StartOptions();

    @Mixin
    private final OptimizerOptions optimizer = new OptimizerOptions();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = Converters.OfSize.class,
            description =
                    "Memory of a stage; one that needs more is refused (default: no limit; with --places docker 256m)")
    private @Nullable Long memory;

    @Option(
            names = "--image",
            paramLabel = "NAME",
            description = "Image of the worker; with --places docker (default: the image that docker/build makes)")
    private @Nullable String image;

    @Mixin
    private final SampleOptions samples = new SampleOptions();

    @HelpGroup(Topic.OUTPUT)
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Write to this folder: the model, the flushes, the curves, the timeline and the logs (default: runs/<time>)")
    private @Nullable Path out;

    @Mixin
    private final TrackingOptions tracking = new TrackingOptions();

    @HelpGroup(Topic.BEGINNING)
    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "Begin with the values of a model: a model.safetensors, of which each stage loads its own part"
                            + " (default: values drawn by --seed)")
    private @Nullable Path from;

    @HelpGroup(Topic.BEGINNING)
    @Option(
            names = "--resume",
            paramLabel = "RUN",
            converter = LastRun.OfPath.class,
            description =
                    "Go on from the state of a run: the last flush in this folder, or of LAST, the newest run. Give"
                            + " the same options as before")
    private @Nullable Path resume;

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

    /** Returns whether only the plan is wanted. */
    public boolean isPlan() {
        return isPlan;
    }

    /** Returns whether this is data-parallel training, the baseline, and no pipeline. */
    public boolean isDataParallel() {
        return cures.schedule().equals(DATA_PARALLEL);
    }

    /** Returns the settings, checked. */
    public PipelineSettings settings() {
        require(command, stages >= 1 && stages <= 64, "--stages must be from 1 to 64; it is " + stages);
        require(command, microBatch >= 1, "--micro-batch must be 1 or more; it is " + microBatch);
        require(command, flush >= 0, "--flush must be 0 or more; it is " + flush);
        require(command, epochs >= 1, "--epochs must be 1 or more; it is " + epochs);
        require(command, maxSteps == null || maxSteps >= 1, "--max-steps must be 1 or more; it is " + maxSteps);
        require(
                command,
                image == null || places == StagePlaces.DOCKER,
                "--image is an option of --places docker; the places are " + places);
        require(
                command,
                memory == null || memory >= SMALLEST,
                "--memory must be 128m or more; it is %dm".formatted(memory == null ? 0 : memory >> 20));
        require(
                command,
                resume == null || out == null,
                "--resume goes on in the folder of the run: leave out --out, which is " + out);
        require(
                command,
                resume == null || !isDataParallel(),
                "--resume goes on from a flush, which --pipeline-schedule ddp has none of: fleetgrad train --resume goes on from its checkpoints");
        require(
                command,
                from == null || resume == null,
                "--resume goes on from the last flush of the run: leave out --from, which is " + from);
        require(
                command,
                from == null || !isDataParallel(),
                "--from is for stages: with --pipeline-schedule ddp leave it out; fleetgrad train --from begins with a model");
        require(
                command,
                !network.settings().devices().isOnGpus(),
                "stages compute on the processor: leave --device out, which is "
                        + network.settings().devices());
        require(
                command,
                isDataParallel() || run().data().options().table().weight().isEmpty(),
                "--weight: stages count all rows alike; leave it out, and --drop the column, or use fleetgrad train");
        OptionalLong limit = memory != null
                ? OptionalLong.of(memory)
                : places == StagePlaces.DOCKER ? OptionalLong.of(256L << 20) : OptionalLong.empty();
        return new PipelineSettings(
                run(),
                stages,
                places,
                cures.choice(optimization().clipNorm()),
                microBatch,
                flush,
                maxSteps == null ? 0 : maxSteps,
                cut,
                Optional.ofNullable(from)
                        .or(() -> resume == null ? network.folder().map(ModelFolder::tensors) : Optional.empty()),
                Optional.ofNullable(resume),
                limit,
                image == null ? InvokerOptions.usualImage() : image);
    }

    private OptimizationSettings optimization() {
        return optimizer.settings(epochs, 0, OptimizerOptions.Input.GRADIENTS);
    }

    /** The settings shared with runs of workers. A data-parallel run has a worker for each stage. */
    private RunSettings run() {
        ServerSettings server = new ServerSettings(
                isDataParallel() ? new TrainingMode.Sync(0) : new TrainingMode.Async(1),
                new StalenessRule.None(),
                0,
                DurabilityMode.CHECKPOINT,
                new StartingPoint.Seeded(),
                1,
                isDataParallel() ? CheckpointPace.DEFAULT : new CheckpointPace(Optional.empty(), OptionalLong.of(1)),
                Optional.empty());
        return new RunSettings(
                data.settings(),
                network.settings(),
                isDataParallel() ? stages : 0,
                Optional.empty(),
                new InvokerSettings.Local(),
                server,
                TransferSettings.PLAIN,
                epochs,
                Optional.of(new RunTarget.None()),
                microBatch,
                isDataParallel() ? cures.stepEvery() : 1,
                optimization(),
                isDataParallel() && maxSteps != null ? OptionalLong.of(maxSteps) : OptionalLong.empty(),
                Optional.empty(),
                patience.settings(),
                samples.seed(),
                samples.train(),
                samples.test(),
                Optional.ofNullable(resume == null ? out : resume),
                tracking.settings(),
                Prices.NONE,
                new BaselineSettings.None(),
                Optional.empty(),
                false,
                ServingSettings.DEFAULT,
                start.timeout());
    }
}

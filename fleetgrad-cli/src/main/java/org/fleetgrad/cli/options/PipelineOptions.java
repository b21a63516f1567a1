package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.fleetgrad.cli.settings.BadWorkers;
import org.fleetgrad.cli.settings.BaselineSettings;
import org.fleetgrad.cli.settings.CheckpointPace;
import org.fleetgrad.cli.settings.DurabilityMode;
import org.fleetgrad.cli.settings.InvokerSettings;
import org.fleetgrad.cli.settings.Mode;
import org.fleetgrad.cli.settings.OptimizationSettings;
import org.fleetgrad.cli.settings.OptimizerKind;
import org.fleetgrad.cli.settings.PipelineSettings;
import org.fleetgrad.cli.settings.RunSettings;
import org.fleetgrad.cli.settings.ScheduleSettings;
import org.fleetgrad.cli.settings.ServerSettings;
import org.fleetgrad.cli.settings.ServingSettings;
import org.fleetgrad.cli.settings.StagePlaces;
import org.fleetgrad.cli.settings.Staleness;
import org.fleetgrad.cli.settings.TransferSettings;
import org.fleetgrad.reports.Prices;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of {@code pipeline}. */
public final class PipelineOptions {

    /** Not a pipeline schedule: data-parallel workers with the parameter server. */
    public static final String DATA_PARALLEL = "ddp";

    private static final long SMALLEST = 128L << 20;

    /** FTPipe's, for images. */
    private static final double DECAY_OF_PREDICTION = 0.0005;

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
            description = "Parts that the network is cut into, each in a place of its own (default: ${DEFAULT-VALUE})")
    private int stages;

    @Option(
            names = "--places",
            defaultValue = "processes",
            description =
                    "Where stages run: threads of one process, processes, or containers of this machine's docker (default: ${DEFAULT-VALUE})")
    private StagePlaces places = StagePlaces.PROCESSES;

    @Mixin
    private final CureOptions cures = new CureOptions();

    @Option(
            names = "--micro-batch",
            paramLabel = "N",
            defaultValue = "32",
            description = "Samples of a micro-batch; a step has --step-every of them (default: ${DEFAULT-VALUE})")
    private int microBatch;

    @Option(
            names = "--flush",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Drain the pipeline, keep and publish the whole network every N steps, and at the end of each epoch"
                            + " (default: at the end of each epoch)")
    private long flush;

    @Option(names = "--epochs", defaultValue = "1", description = "Passes over the dataset (default: ${DEFAULT-VALUE})")
    private int epochs;

    @Option(names = "--max-steps", paramLabel = "N", description = "Stop after this many steps (default: no limit)")
    private @Nullable Long maxSteps;

    @Option(
            names = "--cut",
            paramLabel = "HOW",
            defaultValue = "auto",
            description =
                    "Where the network is cut: auto, by the measured time of its blocks; bytes, by memory; or the first"
                            + " block of each stage but the first, such as layer2.0,fc (default: ${DEFAULT-VALUE})")
    private String cut = "auto";

    @Option(names = "--plan", description = "Show the cut with time, parameters and peak memory of each stage, and end")
    private boolean isPlan;

    @Mixin
    private final StartOptions start = new StartOptions();

    @Mixin
    private final OptimizerOptions optimizer = new OptimizerOptions();

    @Option(
            names = "--rate",
            paramLabel = "SCHEDULE",
            converter = ScheduleConverter.class,
            defaultValue = "constant",
            description =
                    "Schedule of the learning rate over the run, in epochs: constant, cosine, step:every=30,gamma=0.1 or"
                            + " step:milestones=80,120,gamma=0.1 (default: ${DEFAULT-VALUE})")
    private ScheduleSettings rate = ScheduleSettings.CONSTANT;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Memory of a stage; one that needs more is refused (default: no limit; with docker 256m)")
    private @Nullable Long memory;

    @Option(
            names = "--image",
            paramLabel = "NAME",
            description = "With --places docker: the worker's image (default: the image that docker/build makes)")
    private @Nullable String image;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description =
                    "Seed of the parameters, the order of samples and the generated digits (default: ${DEFAULT-VALUE})")
    private int seed;

    @Option(
            names = "--train-samples",
            defaultValue = "20000",
            description = "Number of generated training digits (default: ${DEFAULT-VALUE})")
    private int trainSamples;

    @Option(
            names = "--test-samples",
            defaultValue = "4000",
            description = "Number of generated test digits (default: ${DEFAULT-VALUE})")
    private int testSamples;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for the model, the flushes, the timeline and the logs (default: runs/<time>)")
    private @Nullable Path out;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Begin a new run with the values of this model.safetensors; each stage loads its own part"
                    + " (default: values drawn by --seed)")
    private @Nullable Path from;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue the run in this folder from its last flush; give the same options as before")
    private @Nullable Path resume;

    @Option(names = "--json", description = "Print the result as one JSON object, the last line of stdout")
    private boolean json;

    public boolean isJson() {
        return json;
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
        require(command, seed >= 0, "--seed must be 0 or more; it is " + seed);
        require(command, trainSamples >= 10, "--train-samples must be 10 or more; it is " + trainSamples);
        require(command, testSamples >= 10, "--test-samples must be 10 or more; it is " + testSamples);
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
                "--resume goes on in the folder of the run: leave --out out, which is " + out);
        require(
                command,
                resume == null || !isDataParallel(),
                "--resume goes on with a pipeline: leave it out with --schedule ddp, whose runs train --resume continues");
        require(
                command,
                from == null || resume == null,
                "--resume goes on from the last flush of the run: leave --from out, which is " + from);
        require(
                command,
                from == null || !isDataParallel(),
                "--from is for stages: leave it out with --schedule ddp; fleetgrad train --resume begins with a checkpoint");
        require(
                command,
                !network.settings().device().startsWith("cuda")
                        && !network.settings().device().startsWith("gpu"),
                "stages compute on the processor: leave --device out, which is "
                        + network.settings().device());
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
                Optional.ofNullable(from),
                Optional.ofNullable(resume),
                limit,
                image == null ? InvokerOptions.usualImage() : image);
    }

    /** Aggmsnag with SGD is for a weight decay: a user who names none gets that of its authors. */
    private OptimizationSettings optimization() {
        OptimizationSettings named = optimizer.settings(epochs, 0, rate, "--rate");
        boolean needsDecay = cures.predictsWithDecay()
                && optimizer.optimizer() == OptimizerKind.SGD
                && !optimizer.hasOwnWeightDecay();
        return needsDecay ? named.withWeightDecay(DECAY_OF_PREDICTION) : named;
    }

    /** The settings shared with runs of workers. A data-parallel run has a worker for each stage. */
    private RunSettings run() {
        ServerSettings server = new ServerSettings(
                isDataParallel() ? Mode.SYNC : Mode.ASYNC,
                0,
                OptionalInt.empty(),
                Staleness.NONE,
                BadWorkers.NONE,
                DurabilityMode.CHECKPOINT,
                Optional.empty(),
                false,
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
                OptionalDouble.of(1),
                microBatch,
                isDataParallel() ? cures.stepEvery() : 1,
                optimization(),
                isDataParallel() && maxSteps != null ? OptionalLong.of(maxSteps) : OptionalLong.empty(),
                seed,
                trainSamples,
                testSamples,
                Optional.ofNullable(resume == null ? out : resume),
                Optional.empty(),
                Prices.NONE,
                new BaselineSettings.None(),
                Optional.empty(),
                false,
                ServingSettings.DEFAULT,
                start.timeout());
    }
}

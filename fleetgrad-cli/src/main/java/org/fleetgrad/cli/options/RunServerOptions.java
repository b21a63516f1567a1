package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.accept;
import static org.fleetgrad.cli.options.OptionCheck.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.runs.resume.BestFile;
import org.fleetgrad.runs.settings.CheckpointPace;
import org.fleetgrad.runs.settings.ServerSettings;
import org.fleetgrad.runs.settings.ServerSettings.DurabilityMode;
import org.fleetgrad.runs.settings.StartingPoint;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of a run's parameter server. */
@HelpGroup(Topic.SERVER)
final class RunServerOptions {

    private static final int MOST_SERVERS = 16;
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--mode",
            defaultValue = "async",
            description = "When gradients become a step: async, sync or ssp, with arguments if need be, such as"
                    + " sync:samples=1024 (default: ${DEFAULT-VALUE})")
    private String mode = "async";

    @Option(
            names = "--backup-workers",
            paramLabel = "N",
            description = "With --mode sync: workers that a step does not wait for (default: 0)")
    private @Nullable Integer backupWorkers;

    @Option(
            names = "--max-lead",
            paramLabel = "N",
            description = "With --mode ssp: iterations that a worker may be ahead of the slowest (default: 3)")
    private @Nullable Integer maxLead;

    @Option(
            names = "--staleness",
            paramLabel = "RULE",
            converter = Converters.OfStaleness.class,
            description = "How stale gradients are treated: none, damped, delay-compensated,"
                    + " adaptive-delay-compensated, gap-aware, look-ahead, look-ahead-slim (default: look-ahead where"
                    + " gradients are stale, each is a step, and SGD has a momentum, else none). With arguments:"
                    + " gap-aware:decay=0.99")
    private @Nullable StalenessRule staleness;

    @Mixin
    private final BadWorkerOptions badWorkers = new BadWorkerOptions();

    @Option(
            names = "--durability",
            paramLabel = "MODE",
            defaultValue = "checkpoint",
            description = "What the parameter server stores on disk: none; checkpoint, its state periodically; journal,"
                    + " every gradient too. With checkpoint or journal, a server that dies is restarted (default:"
                    + " ${DEFAULT-VALUE})")
    private DurabilityMode durability = DurabilityMode.CHECKPOINT;

    @Option(
            names = "--checkpoint-every",
            paramLabel = "TIME|STEPS",
            converter = Converters.OfPace.class,
            description =
                    "With --durability checkpoint or journal: time between two checkpoints, such as 30s, or number of steps,"
                            + " such as 500 (default: 10s)")
    private @Nullable CheckpointPace checkpointEvery;

    @HelpGroup(Topic.BEGINNING)
    @Option(
            names = "--resume",
            paramLabel = "RUN|CHECKPOINTS",
            converter = LastRun.OfText.class,
            description =
                    "Go on from the state of a run: the run's folder, LAST (the newest run), a folder of checkpoints,"
                            + " one of them, or s3://bucket/prefix. With --out RUN in the run's own folder, else in a new one")
    private @Nullable String resume;

    @HelpGroup(Topic.BEGINNING)
    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Begin with the values of a model: a safetensors file, such as a run's model.safetensors or a"
                    + " state_dict of PyTorch, or a folder of Hugging Face's with a GPT-2 (default: values drawn by"
                    + " --seed)")
    private @Nullable Path from;

    @HelpGroup(Topic.BEGINNING)
    @Option(
            names = "--best",
            description =
                    "Take the version with the best held-out score; with --from RUN, the folder of a run. It has no"
                            + " state of the training, so a run begins with it, and does not go on (default: the given file)")
    private boolean best;

    @HelpGroup(Topic.BEGINNING)
    @Option(
            names = "--new-head",
            description = "With --from: initialize the last linear layer anew, for another number of classes")
    private boolean newHead;

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of parameter servers; each has a part of the parameters (default: ${DEFAULT-VALUE})")
    private int servers = 1;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            description = "Time after its last call until a worker counts as gone, such as 500ms (default: 30s; with"
                    + " --invoker docker or openwhisk 10s)")
    private @Nullable Duration lease;

    /**
     * Returns the settings.
     *
     * @param step      the server's optimizer
     * @param ofNetwork the folder with values that --network names, with which a run begins unless it begins with others
     */
    ServerSettings settings(int workers, OptimizerSettings step, Optional<Path> ofNetwork) {
        TrainingMode trained = mode(workers);
        StalenessRule rule = rule(workers, trained, step);
        require(
                command,
                rule instanceof StalenessRule.None || !trained.isSynchronous(),
                "--staleness %s has no effect with --mode sync, in which no gradient is stale; pass none, or --mode async"
                        .formatted(rule));
        accept(command, "--staleness", () -> {
            trained.requireFits(rule);
            rule.requireFits(step);
            return rule;
        });
        require(
                command,
                checkpointEvery == null || durability != DurabilityMode.NONE,
                "--checkpoint-every is an option of --durability checkpoint and journal; the durability is none");
        require(
                command,
                lease == null || lease.compareTo(SHORTEST_LEASE) >= 0,
                "--lease must be 100ms or more; it is " + (lease == null ? "" : lease.toMillis() + "ms"));
        require(
                command,
                servers >= 1 && servers <= MOST_SERVERS,
                "--servers must be from 1 to %d; it is %d".formatted(MOST_SERVERS, servers));
        require(
                command,
                from == null || resume == null,
                "--from begins a new run, --resume goes on from a run's state: pass one of them");
        require(
                command,
                !best || from != null,
                "--best is an option of --from RUN: the best version has no state of the training to go on from with --resume");
        require(
                command,
                !newHead || from != null || (ofNetwork.isPresent() && resume == null),
                "--new-head is an option of --from; fleetgrad model export makes the file of a run");
        return new ServerSettings(
                trained,
                rule,
                badWorkers.largestNorm(),
                durability,
                startingPoint(ofNetwork),
                servers,
                checkpointEvery == null ? CheckpointPace.DEFAULT : checkpointEvery,
                Optional.ofNullable(lease));
    }

    /** Returns whether workers push what they computed on an older version. */
    boolean isStale(int workers) {
        return workers > 1 && !mode(workers).isSynchronous();
    }

    private TrainingMode mode(int workers) {
        Map<String, String> further = new TreeMap<>();
        if (backupWorkers != null) {
            further.put("backup-workers", backupWorkers.toString());
        }
        if (maxLead != null) {
            further.put("max-lead", maxLead.toString());
        }
        TrainingMode read =
                accept(command, "--mode", () -> TrainingMode.parse(mode, further, badWorkers.aggregation()));
        require(
                command,
                !(read instanceof TrainingMode.Sync sync) || sync.backupWorkers() < workers,
                "--backup-workers must be from 0 to below --workers, which is %d; the mode is %s"
                        .formatted(workers, read));
        return read;
    }

    private StartingPoint startingPoint(Optional<Path> ofNetwork) {
        if (resume != null) {
            return new StartingPoint.State(resume);
        }
        return Optional.ofNullable(from)
                .map(given -> best ? accept(command, "--from", () -> BestFile.of(given)) : given)
                .or(() -> ofNetwork)
                .<StartingPoint>map(
                        file -> new StartingPoint.Model(file.toAbsolutePath().normalize(), newHead))
                .orElseGet(StartingPoint.Seeded::new);
    }

    /**
     * Returns the rule: the user's, or look-ahead where several workers make gradients stale and each gradient is a
     * step. With plain momentum, a run of eight workers would not learn (ADR 27).
     */
    private StalenessRule rule(int workers, TrainingMode trained, OptimizerSettings optimizer) {
        if (staleness != null) {
            return staleness;
        }
        boolean hasPlainMomentum =
                optimizer instanceof SgdSettings sgd && sgd.momentum() > 0 && !sgd.nesterov() && sgd.dampening() == 0;
        return trained.isOneGradientAStep() && workers > 1 && hasPlainMomentum
                ? ServerSettings.STALE_RULE
                : new StalenessRule.None();
    }
}

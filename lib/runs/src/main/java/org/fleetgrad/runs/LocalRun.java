package org.fleetgrad.runs;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.files.DiskSpace;
import org.fleetgrad.networks.SeriesTask;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.openwhisk.OpenWhiskException;
import org.fleetgrad.reports.Baseline;
import org.fleetgrad.reports.RunResult;
import org.fleetgrad.runs.curves.RunCurves;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.kept.EarlierRuns;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.RecordedRun;
import org.fleetgrad.runs.learning.FeedbackLearning;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.place.ChosenPlace;
import org.fleetgrad.runs.place.RunKeys;
import org.fleetgrad.runs.place.WorkerPlace;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.ProgramFolder;
import org.fleetgrad.runs.resume.BeginningFile;
import org.fleetgrad.runs.resume.ResumeParts;
import org.fleetgrad.runs.resume.ResumePath;
import org.fleetgrad.runs.services.ServicePlan;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.settings.BaselineSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.StartingPoint;
import org.fleetgrad.runs.shards.BucketShards;
import org.fleetgrad.runs.shards.FittingImbalance;
import org.fleetgrad.runs.shards.PreparedDataset;
import org.fleetgrad.runs.shards.ShardHost;
import org.fleetgrad.runs.start.StartWatch;
import org.fleetgrad.runs.start.StuckException;
import org.fleetgrad.runs.tracking.RunTracking;
import org.fleetgrad.runs.watch.FinalEvaluation;
import org.fleetgrad.runs.watch.RunCourse;
import org.fleetgrad.runs.watch.RunWork;
import org.fleetgrad.runs.watch.TrainingWatch;
import org.fleetgrad.store.StoreLocation;

/**
 * A run on this machine. It prepares the dataset, starts the programs, and invokes the workers until the target or the last
 * epoch. Then it sends the live model a sample, writes the model and the report, and ends what it started.
 */
public final class LocalRun {

    private final RunSettings settings;
    private final RunOutput output;
    private final Optional<Demonstration> demonstration;

    /** Makes a run that asks the model nothing. */
    public LocalRun(RunSettings settings, RunOutput output) {
        this(settings, output, Optional.empty());
    }

    /** @param demonstration what the model is asked; nothing if it is empty */
    public LocalRun(RunSettings settings, RunOutput output, Optional<Demonstration> demonstration) {
        this.settings = settings;
        this.output = output;
        this.demonstration = demonstration;
    }

    /**
     * Runs to the end; every program it started has ended when it returns, however it returns.
     *
     * @param onResult receives the result when model and report are written, before a run with {@code --keep} continues
     */
    public void run(Consumer<RunResult> onResult) throws RunFailedException, InterruptedException {
        int servers = settings.server().servers();
        List<String> resumed = checkpoints(servers);
        FeedbackLearning.require(settings);
        Optional<StoreLocation.Bucket> store = store();
        Path folder = RunFolder.create(RunFolder.of(settings.out()));
        List<Path> kept = ResumeParts.folders(folder.resolve(ResumePath.CHECKPOINTS), servers);
        requireOwnCheckpoints(folder, kept, resumed);
        RecordedRun record = RunRecord.begin(settings, folder, demonstration.isPresent() ? "demo" : "train", output);
        Path unused = record.follow(() -> {
            train(folder, kept, resumed, store, record, onResult);
            return folder;
        });
    }

    private void train(
            Path folder,
            List<Path> kept,
            List<String> resumed,
            Optional<StoreLocation.Bucket> store,
            RecordedRun record,
            Consumer<RunResult> onResult)
            throws RunFailedException, InterruptedException {
        StartWatch watch = new StartWatch(settings.startTimeout(), output);
        try (ProcessGroup programs = new ProcessGroup(ProgramFolder.home(), folder.resolve("logs"), watch);
                WorkerPlace place = new ChosenPlace(settings, System.getenv(), output)
                        .open(programs, folder.resolve(PreparedDataset.FOLDER))) {
            PreparedDataset dataset = prepare(folder);
            FeedbackLearning.require(settings, dataset);
            Optional<Path> earlier = EarlierRuns.write(
                    folder, dataset.name(), KeptRuns.in(KeptRuns.place(System.getenv())), output::tell);
            long bytes =
                    RunNetwork.bytes(settings, dataset.name(), dataset.schema().task(), output::tell);
            DiskRoom.require(settings, folder, bytes);
            programs.makeRoomFor(bytes, settings.server().moreCopies(settings.workers()));
            List<String> begin = settings.server().startingPoint() instanceof StartingPoint.Model model
                    ? files(model, dataset, folder)
                    : resumed;
            Optional<Baseline> baseline = baseline(folder, dataset);
            try (ShardHost shards = store.isPresent() ? upload(store.get(), dataset) : place::shardUrl;
                    RunTracking tracking =
                            RunTracking.begin(settings.tracking(), folder, "train", record, output::tell);
                    RunCurves curves = tracking.curves(
                            settings.targetFor(dataset.schema().task()),
                            settings.server().startingPoint() instanceof StartingPoint.State,
                            dataset.schema().task())) {
                RunSettings weighed = RunNetwork.known(
                                settings, dataset.schema().task())
                        .with(settings.optimization()
                                .with(settings.optimization().imbalance().with(dataset.weights())));
                ServicePlan plan =
                        plan(weighed, environments(kept, begin, dataset.train(), earlier), dataset, place, folder);
                Services services = start(programs, plan, folder);
                record.describe(RunNetwork.name(weighed, dataset.schema().task()), dataset.name());
                RunReport report = new RunReport(weighed, dataset, folder, baseline);
                train(services, dataset, shards, curves, tracking, report, onResult);
            }
        } catch (OpenWhiskException | StuckException failed) {
            throw RunFailedException.remote(String.valueOf(failed.getMessage()));
        } catch (IOException failed) {
            throw RunFailedException.remote(failed + (DiskSpace.isFull(failed) ? DiskSpace.note(folder) : ""));
        }
    }

    private PreparedDataset prepare(Path folder) throws RunFailedException {
        output.tell("preparing %s"
                .formatted(settings.data().folder().map(Path::toString).orElse("generated digits")));
        PreparedDataset dataset = PreparedDataset.prepare(settings, folder.resolve(PreparedDataset.FOLDER), output);
        output.tell("%s: %,d training and %,d held-out samples in %d shards"
                .formatted(
                        dataset.name(),
                        dataset.train(),
                        dataset.test().count(),
                        dataset.shards().train().size()));
        dataset.notes().forEach(output::tell);
        if (!dataset.weights().areEqual()) {
            output.tell(
                    FittingImbalance.shown(dataset.weights(), dataset.schema().classes()));
        }
        return dataset;
    }

    private static ServicePlan plan(
            RunSettings weighed,
            List<Map<String, String>> environments,
            PreparedDataset dataset,
            WorkerPlace place,
            Path folder)
            throws IOException {
        Optional<Path> tokenKey =
                place.keys().isPresent() ? Optional.of(RunKeys.writeTokenKey(folder)) : Optional.empty();
        return new ServicePlan(
                weighed,
                environments,
                dataset.shards().test(),
                weighed.targetScoreFor(dataset.schema().task()),
                place,
                FeedbackLearning.environment(weighed, dataset),
                tokenKey);
    }

    private Services start(ProcessGroup programs, ServicePlan plan, Path folder)
            throws IOException, RunFailedException, InterruptedException {
        Services services = Services.start(programs, plan, output::tell);
        services.awaitUp(settings.workersAtFirst());
        output.tell("ps-service at %s, inference-api at %s, %s; logs in %s"
                .formatted(services.servers(), services.inference(), workers(), folder.resolve("logs")));
        if (settings.keep() && plan.place().keys().isPresent()) {
            output.tell(
                    "both require keys, such as a reader's: FLEETGRAD_ACCESS_KEY=reader FLEETGRAD_SECRET_KEY_FILE=%s"
                            .formatted(plan.place().keys().get().writeReader(folder)));
        }
        tellServing(services);
        return services;
    }

    private void train(
            Services services,
            PreparedDataset dataset,
            ShardHost shards,
            RunCurves curves,
            RunTracking tracking,
            RunReport report,
            Consumer<RunResult> onResult)
            throws IOException, RunFailedException, InterruptedException {
        RunWork work = RunWork.begin(services, () -> dataset.plan(settings.keep() ? 0 : settings.epochs(), shards));
        TrainingWatch training = new TrainingWatch(
                settings,
                dataset.schema().task(),
                services,
                work,
                output,
                curves,
                version -> ChosenModel.isKept(report.folder(), version),
                FeedbackLearning.work(settings, dataset, shards, services, output::tell));
        try (StoppedRun stopped = StoppedRun.expect(services.programs(), report, training, output)) {
            tracking.describe(report.settingsOf(services.ask(PsClient::status)));
            RunResult result;
            try (Conversation conversation =
                    Conversation.begin(demonstration, services, dataset, settings.seed(), output)) {
                FinalEvaluation.Outcome outcome = training.toTarget();
                RunCourse course = training.course(outcome.status());
                ChosenModel chosen = ChosenModel.of(
                        report.folder(), outcome, course.progress().best(), training.isBestWanted(), output::tell);
                result = report.write(chosen, outcome.status(), course, NewestEvaluation.of(services, output::tell));
                askAtTheEnd(conversation);
            }
            stopped.written();
            RunSummary.tell(
                    result, settings, settings.targetFor(dataset.schema().task()), output);
            tracking.result(result.toJson(), settings.prices().currency());
            onResult.accept(result);
            tracking.describe(result.network(), result.dataset());
            tracking.finish(Path.of(result.pagePath()), Path.of(result.reportPath()), Path.of(result.modelPath()));
            if (settings.keep()) {
                output.tell("training and serving until Ctrl-C:");
                output.tell("  %s/  %s"
                        .formatted(services.inference(), toTry(dataset.schema().task())));
                output.tell("  %s/  watch the run: its curves, samples per second and workers"
                        .formatted(services.servers().lead()));
                training.goOn();
            }
        }
    }

    /** The model is trained and written: whether it answers makes no run fail. */
    private void askAtTheEnd(Conversation conversation) throws InterruptedException {
        try {
            conversation.end();
        } catch (IOException unanswered) {
            output.tell("the live model did not answer: " + unanswered.getMessage());
        }
    }

    /** Returns what a user can do at the page of the inference API. */
    private static String toTry(Task task) {
        if (task instanceof LanguageModel) {
            return "begin a text, and watch its continuations improve";
        }
        if (task instanceof TableTask) {
            return "POST /predict takes rows by their columns: docs/inference.md shows how";
        }
        if (task instanceof SeriesTask) {
            return "POST /predict takes series: docs/inference.md shows how";
        }
        return task instanceof TextClassification
                ? "POST /predict classifies texts: docs/inference.md shows how"
                : "draw a digit, and watch the predictions improve";
    }

    private void tellServing(Services services) throws IOException {
        int replicas = settings.serving().replicas();
        if (replicas > 1) {
            output.tell("%d inference APIs share %s".formatted(replicas, services.inference()));
        }
        for (Invoker worker : services.workers()) {
            Optional<URI> serving = worker.serving();
            if (serving.isPresent()) {
                output.tell("%s answers predictions at %s/predict, %s"
                        .formatted(
                                worker.name(),
                                serving.get(),
                                settings.serving().onWorkers().orElse("")));
            }
        }
    }

    private String workers() {
        return settings.elastic().isPresent()
                ? "1 to %d workers".formatted(settings.workers())
                : "%d workers".formatted(settings.workers());
    }

    private Optional<StoreLocation.Bucket> store() throws RunFailedException {
        if (settings.store().isEmpty()) {
            return Optional.empty();
        }
        String given = settings.store().get();
        try {
            if (StoreLocation.parse("shards", given, System::getenv) instanceof StoreLocation.Bucket bucket) {
                return Optional.of(bucket);
            }
        } catch (IllegalArgumentException invalid) {
            throw RunFailedException.input("--store %s: %s".formatted(given, invalid.getMessage()));
        }
        throw RunFailedException.input("--store %s: pass a bucket, such as s3://datasets/runs".formatted(given));
    }

    private BucketShards upload(StoreLocation.Bucket store, PreparedDataset dataset) throws IOException {
        List<Path> shards = dataset.shards().train();
        output.tell("uploading %d shards to %s".formatted(shards.size(), store));
        // Another run may have a folder of the same name, here or on another machine.
        return BucketShards.upload(store, "run-%s".formatted(UUID.randomUUID()), shards, output::tell);
    }

    /** Reads the earlier run, or trains the baseline; the baseline's programs have ended when this returns. */
    private Optional<Baseline> baseline(Path folder, PreparedDataset dataset)
            throws RunFailedException, InterruptedException {
        if (settings.baseline() instanceof BaselineSettings.None) {
            return Optional.empty();
        }
        Path run = folder.resolve("baseline");
        if (settings.baseline() instanceof BaselineSettings.Earlier earlier) {
            run = earlier.folder().toAbsolutePath().normalize();
        } else {
            output.tell("first training the baseline, with one worker on this machine");
            new LocalRun(settings.ofOneMachine(run), output).run(result -> {});
        }
        try {
            return Optional.of(Baseline.read(
                    run, dataset.name(), settings.targetFor(dataset.schema().task()), settings.prices()));
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input(String.valueOf(unfit.getMessage()));
        }
    }

    /** Finds what the run begins with before anything is written, and returns the checkpoints to resume from, if any. */
    private List<String> checkpoints(int servers) throws RunFailedException {
        if (settings.server().startingPoint() instanceof StartingPoint.Model model) {
            BeginningFile.require(model.file(), model.newHead());
        }
        if (!(settings.server().startingPoint() instanceof StartingPoint.State state)) {
            return List.of();
        }
        String source = state.source();
        return servers == 1 ? List.of(ResumePath.resolve(source)) : ResumeParts.sources(source, servers);
    }

    /** Makes a file for each server of a model; the dataset is needed to know its network. */
    private List<String> files(StartingPoint.Model model, PreparedDataset dataset, Path folder)
            throws RunFailedException, IOException {
        ShardManifest manifest = ShardManifest.read(dataset.shards().manifest());
        return new BeginningFile(settings.network().network(), model.newHead(), manifest, settings.seed())
                .sources(model.file(), settings.server().servers(), folder);
    }

    /** Returns each server's settings. */
    private List<Map<String, String>> environments(
            List<Path> kept, List<String> sources, long samples, Optional<Path> earlier) throws RunFailedException {
        Map<String, String> optimization = settings.optimization().environment(samples, settings.epochs());
        return IntStream.range(0, kept.size())
                .mapToObj(i -> {
                    Optional<String> source = sources.isEmpty() ? Optional.empty() : Optional.of(sources.get(i));
                    Map<String, String> environment = new HashMap<>(optimization);
                    environment.putAll(settings.server().environment(kept.get(i), source));
                    earlier.ifPresent(file -> environment.put("PS_EARLIERRUNS", file.toString()));
                    return environment;
                })
                .toList();
    }

    /** A server resumes from its folder: an earlier run's checkpoints there must be those that the user named. */
    private void requireOwnCheckpoints(Path folder, List<Path> kept, List<String> sources) throws RunFailedException {
        List<String> places = kept.stream().map(Path::toString).toList();
        Path checkpoints = folder.resolve(ResumePath.CHECKPOINTS);
        boolean isThere = ResumePath.hasCheckpoints(checkpoints) || ResumeParts.count(checkpoints) > 0;
        if (settings.server().isKeeping() && !places.equals(sources) && isThere) {
            throw RunFailedException.input(
                    "--out %s has the checkpoints of an earlier run: pass another folder, or --resume %s to continue that run"
                            .formatted(folder, folder));
        }
    }
}

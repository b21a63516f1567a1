package org.fleetgrad.pipelineruns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.pipeline.cut.BlockTimes;
import org.fleetgrad.pipeline.cut.Cut;
import org.fleetgrad.pipeline.cut.PipelinePlan;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.fleetgrad.pipeline.timeline.TimelineSvg;
import org.fleetgrad.pipeline.timeline.TimelineText;
import org.fleetgrad.pipelineruns.PipelineSettings.StagePlaces;
import org.fleetgrad.pipelineruns.flush.FlushFolder;
import org.fleetgrad.pipelineruns.flush.FlushFolder.FlushRecord;
import org.fleetgrad.pipelineruns.flush.WholeSet;
import org.fleetgrad.pipelineruns.place.ContainerPlace;
import org.fleetgrad.pipelineruns.place.HostPlace;
import org.fleetgrad.pipelineruns.place.ProcessPlace;
import org.fleetgrad.protocol.NetworkTitle;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.ChosenModel;
import org.fleetgrad.runs.RunFolder;
import org.fleetgrad.runs.RunRecord;
import org.fleetgrad.runs.curves.RunCurves;
import org.fleetgrad.runs.kept.RecordedRun;
import org.fleetgrad.runs.output.Figures;
import org.fleetgrad.runs.output.HeldOutFigures;
import org.fleetgrad.runs.output.OptionPath;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.output.SavedModel;
import org.fleetgrad.runs.place.LocalPlace;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.ProgramFolder;
import org.fleetgrad.runs.resume.BeginningFile;
import org.fleetgrad.runs.services.ServicePlan;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.shards.PreparedDataset;
import org.fleetgrad.runs.start.StartWatch;
import org.fleetgrad.runs.start.StuckException;
import org.fleetgrad.runs.tracking.RunTracking;
import org.fleetgrad.runs.watch.EndReason;
import org.fleetgrad.runs.watch.FinalEvaluation;
import org.jspecify.annotations.Nullable;

/**
 * A run whose network is cut into stages. It prepares the dataset, cuts the network, starts the services and the stages, and
 * trains from flush to flush; each flush is stored in the run's folder and published. At the end it writes the model and a
 * timeline, and ends what it started.
 */
public final class PipelineRun {

    private static final String FLUSHES = "flushes";
    private static final String RESULT = "pipeline.json";
    private static final String TIMELINE = "timeline.svg";
    private static final int TIMELINE_COLUMNS = 120;
    private static final int TIMELINE_WIDTH = 1600;

    private final PipelineSettings settings;
    private final RunOutput output;

    public PipelineRun(PipelineSettings settings, RunOutput output) {
        this.settings = settings;
        this.output = output;
    }

    /** Returns the cut and the estimated cost of each stage, without running anything. */
    public String plan() throws RunFailedException, InterruptedException {
        requireLegal();
        Dataset dataset = PreparedDataset.read(settings.run());
        NetworkDefinition network = PipelineProblem.network(
                settings, dataset.name(), dataset.schema().task());
        StageCuts cuts = new StageCuts(settings, network);
        try {
            Optional<BlockTimes> times = Optional.of(BlockTimesProgram.measure(network.spec(), settings, output));
            Cut cut = cuts.cut(times);
            PipelinePlan plan = cuts.plan(cut, times);
            String text = "%s, %s, micro-batches of %d%n%s--cut %s"
                    .formatted(
                            NetworkTitle.of(network.spec().name()),
                            settings.method(),
                            settings.microBatch(),
                            plan.text(),
                            cut.text());
            cuts.requireFits(plan);
            return text;
        } catch (IOException failed) {
            throw RunFailedException.remote(failed.toString());
        }
    }

    /** Runs to the end; every program it started has ended when it returns, however it returns. */
    public PipelineResult run() throws RunFailedException, InterruptedException {
        requireLegal();
        Path folder = createFolder();
        FlushFolder flushes = new FlushFolder(folder.resolve(FLUSHES), settings.places() == StagePlaces.DOCKER);
        Optional<FlushRecord> last = flushes.last();
        requireResume(folder, last);
        RecordedRun record = RunRecord.begin(settings.run(), folder, "pipeline", output);
        record.describe(settings.kept());
        return record.follow(() -> run(folder, flushes, last, record));
    }

    private PipelineResult run(Path folder, FlushFolder flushes, Optional<FlushRecord> last, RecordedRun record)
            throws RunFailedException, InterruptedException {
        output.tell("preparing %s"
                .formatted(settings.run().data().folder().map(Path::toString).orElse("generated digits")));
        PipelineProblem problem = PipelineProblem.prepare(settings, folder.resolve(PreparedDataset.FOLDER), output);
        if (last.isPresent()) {
            requireSame(last.get(), problem);
        }
        requireFits(problem);
        StartWatch watch = new StartWatch(settings.run().startTimeout(), output);
        try (ProcessGroup programs = new ProcessGroup(ProgramFolder.home(), folder.resolve("logs"), watch)) {
            Cut cut = cut(problem, last);
            programs.makeRoomFor(problem.network().spec().layout().byteLength(), 0);
            Files.createDirectories(flushes.path());
            try (HostPlace place = place(programs, folder, flushes);
                    RunTracking tracking =
                            RunTracking.begin(settings.run().tracking(), folder, "pipeline", record, output::tell);
                    RunCurves curves = tracking.curves(
                            new RunTarget.None(),
                            settings.resume().isPresent(),
                            problem.dataset().schema().task())) {
                tracking.describe(settings.kept());
                tracking.describe(
                        problem.network().spec().name(), problem.dataset().name());
                Services services = services(programs, problem, folder);
                PipelineTraining training = new PipelineTraining(
                        settings,
                        problem,
                        cut,
                        new StageCuts(settings, problem.network()).plan(cut, Optional.empty()),
                        flushes,
                        services,
                        curves,
                        output);
                training.train(place, last);
                PipelineResult result = finish(training, services, problem, cut, folder);
                tracking.result(result.toJson(), settings.run().prices().currency());
                tracking.finish(folder.resolve(RESULT), folder.resolve(TIMELINE), Path.of(result.modelPath()));
                return result;
            }
        } catch (StuckException stuck) {
            throw RunFailedException.remote(String.valueOf(stuck.getMessage()));
        } catch (IOException failed) {
            throw RunFailedException.remote(failed.toString());
        }
    }

    /** Rejects an illegal combination with its rule, before anything runs. */
    private void requireLegal() throws RunFailedException {
        try {
            Object unused = settings.cures().combination(settings.optimizer().settings());
        } catch (IllegalArgumentException illegal) {
            throw RunFailedException.input(String.valueOf(illegal.getMessage()));
        }
        Optional<String> named = settings.run().network().network();
        if (named.isPresent()) {
            // Before the dataset is prepared: whether a network may be cut depends on its kind alone, or on what its
            // name holds.
            String base = NetworkName.parse(named.get()).base();
            PipelineProblem.requireMayBeCut(
                    Networks.usual(Networks.isDefinedByArguments(base) ? named.get() : base), settings.stages());
        }
        if (settings.from().isPresent()) {
            BeginningFile.require(settings.from().get(), false);
        }
    }

    private Cut cut(PipelineProblem problem, Optional<FlushRecord> last)
            throws RunFailedException, IOException, InterruptedException {
        StageCuts cuts = new StageCuts(settings, problem.network());
        Optional<BlockTimes> times = Optional.empty();
        Cut cut;
        if (last.isPresent()) {
            // A new measurement might give another cut.
            cut = cuts.byHand(last.get().cut());
        } else {
            if (cuts.needsTimes()) {
                output.tell("measuring the blocks of %s"
                        .formatted(NetworkTitle.of(problem.network().spec().name())));
                times = Optional.of(BlockTimesProgram.measure(problem.network().spec(), settings, output));
            }
            cut = cuts.cut(times);
        }
        PipelinePlan plan = cuts.plan(cut, times);
        cuts.requireFits(plan);
        output.tell("%s in %d stages: %s"
                .formatted(NetworkTitle.of(problem.network().spec().name()), settings.stages(), settings.method()));
        output.tell(plan.text().stripTrailing());
        return cut;
    }

    private HostPlace place(ProcessGroup programs, Path folder, FlushFolder flushes)
            throws IOException, RunFailedException, InterruptedException {
        return settings.places() == StagePlaces.DOCKER
                ? ContainerPlace.open(
                        settings.image(),
                        settings.memory().orElseThrow(),
                        ProgramFolder.home(),
                        folder.resolve(PreparedDataset.FOLDER),
                        flushes.path(),
                        output::tell)
                : new ProcessPlace(programs);
    }

    private Services services(ProcessGroup programs, PipelineProblem problem, Path folder)
            throws IOException, RunFailedException, InterruptedException {
        PreparedDataset dataset = problem.dataset();
        Map<String, String> environment = new HashMap<>(settings.run()
                .optimization()
                .environment(dataset.train(), settings.run().epochs()));
        environment.putAll(settings.run().server().environment(folder.resolve("checkpoints"), Optional.empty()));
        ServicePlan plan = new ServicePlan(
                settings.run(),
                List.of(environment),
                dataset.shards().test(),
                settings.run().targetScoreFor(dataset.schema().task()),
                new LocalPlace(programs),
                Map.of(),
                Optional.empty());
        Services services = Services.start(programs, plan, output::tell);
        services.awaitUp(0);
        output.tell("ps-service at %s, inference-api at %s; logs in %s"
                .formatted(services.servers(), services.inference(), folder.resolve("logs")));
        return services;
    }

    private PipelineResult finish(
            PipelineTraining training, Services services, PipelineProblem problem, Cut cut, Path folder)
            throws IOException, RunFailedException, InterruptedException {
        FinalEvaluation.Outcome outcome = new FinalEvaluation(services).evaluate();
        training.end(outcome.status());
        ChosenModel chosen =
                ChosenModel.of(folder, outcome, training.best(), training.end() == EndReason.PATIENCE, output::tell);
        HeldOutFigures heldOut = chosen.figures();
        Path model = SavedModel.file(folder);
        SavedModel.write(chosen.model().parameters(), problem.dataset().schema().textTokenizer(), folder);
        RunFigures figures = training.figures();
        Optional<Path> picture = timeline(figures.timeline(), folder);
        FlushRecord last = training.last();
        PipelineResult result = new PipelineResult(
                heldOut.accuracy(),
                heldOut.loss(),
                heldOut.perplexity(),
                heldOut.text() == null ? null : heldOut.text().bitsPerCharacter(),
                heldOut.regression(),
                heldOut.labels(),
                finite(figures.meanLoss()),
                finite(figures.accuracy()),
                training.seconds() == 0 ? 0 : training.samples() / training.seconds(),
                figures.bubble(),
                figures.staleness(),
                figures.liveVersions(),
                figures.peakMebibytes(),
                problem.network().spec().name(),
                settings.stages(),
                settings.places().toString(),
                settings.cures().schedule(),
                settings.method(),
                cut.text(),
                last.steps(),
                last.samples(),
                training.seconds(),
                last.flush(),
                chosen.model().version().version(),
                training.end().label(),
                chosen.best(),
                model.toString(),
                Sha256.of(chosen.model().parameters().data()),
                picture.map(Path::toString).orElse(null));
        AtomicFile.write(folder.resolve(RESULT), result.toJson().getBytes(StandardCharsets.UTF_8));
        output.tell(String.format(
                Locale.ROOT,
                "%s after %.1f s and %,d samples (%,.0f samples/s, bubble %.0f%%); the model is %s",
                Figures.heldOut(problem.dataset().schema().task(), heldOut),
                result.seconds(),
                result.samples(),
                result.samplesPerSecond(),
                100 * figures.bubble(),
                model));
        Optional.ofNullable(chosen.best())
                .map(best -> Figures.best(best, model))
                .ifPresent(output::tell);
        return result;
    }

    /** A run that was already finished has no window. */
    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }

    /** Draws the timeline of the stages; nothing if the run was already finished. */
    private static Optional<Path> timeline(Timeline timeline, Path folder) throws IOException {
        if (timeline.spans().isEmpty()) {
            return Optional.empty();
        }
        Path picture = folder.resolve(TIMELINE);
        AtomicFile.write(picture, TimelineSvg.draw(timeline, TIMELINE_WIDTH).getBytes(StandardCharsets.UTF_8));
        AtomicFile.write(
                folder.resolve("timeline.txt"),
                TimelineText.draw(timeline, TIMELINE_COLUMNS).getBytes(StandardCharsets.UTF_8));
        return Optional.of(picture);
    }

    private Path createFolder() throws RunFailedException {
        Path folder = RunFolder.of(settings.run().out());
        if (settings.resume().isPresent() && !Files.isDirectory(folder)) {
            throw RunFailedException.input("--resume %s: there is no such folder".formatted(folder));
        }
        return RunFolder.create(folder);
    }

    private void requireResume(Path folder, Optional<FlushRecord> last) throws RunFailedException {
        if (settings.resume().isPresent() && last.isEmpty()) {
            throw RunFailedException.input(
                    "--resume %s: that run has no complete flush to go on from".formatted(folder));
        }
        if (settings.resume().isEmpty() && last.isPresent()) {
            throw RunFailedException.input(
                    "%s has a run that was flushed %d times: go on with --resume %s, or pass another --out"
                            .formatted(folder, last.get().flush(), folder));
        }
    }

    /** Rejects a model of another network before anything runs. */
    private void requireFits(PipelineProblem problem) throws RunFailedException {
        if (settings.from().isEmpty()) {
            return;
        }
        Path model = settings.from().get();
        try {
            Object unused = new WholeSet(
                            problem.network(), problem.shards(), settings.run().seed())
                    .of(model);
        } catch (NoSuchFileException missing) {
            throw RunFailedException.input("--from %s: there is no such file".formatted(model));
        } catch (IOException | IllegalArgumentException unfit) {
            throw RunFailedException.input(new OptionPath("--from", model).message(unfit));
        }
    }

    private void requireSame(FlushRecord last, PipelineProblem problem) throws RunFailedException {
        String network = problem.network().spec().name();
        if (!last.network().equals(network)) {
            throw RunFailedException.input(
                    "--resume: the run trains '%s', this is '%s': pass the same --network as before"
                            .formatted(last.network(), network));
        }
        List<Integer> shards = problem.dataset().shards().samples();
        if (!last.shards().equals(shards)) {
            throw RunFailedException.input(
                    "--resume: the run has shards of %s samples, this dataset makes %s: pass the same --data as before"
                            .formatted(last.shards(), shards));
        }
        for (Map.Entry<String, String> option : settings.kept().entrySet()) {
            String before = last.settings().getOrDefault(option.getKey(), "");
            if (!before.equals(option.getValue())) {
                throw RunFailedException.input("--resume: %s of the run is '%s', now it is '%s': it must not change"
                        .formatted(option.getKey(), before, option.getValue()));
            }
        }
    }
}

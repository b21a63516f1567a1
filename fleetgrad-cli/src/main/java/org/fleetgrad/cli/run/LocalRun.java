package org.fleetgrad.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.cli.display.Figures;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.cli.process.ProcessGroup;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.StatusReply;
import org.fleetgrad.protocol.work.WorkPlan;

/**
 * A run on this machine: prepares the dataset, starts the programs, invokes the workers until the target or the epochs
 * are reached, asks the live model a question, writes model and report, and ends what it started.
 */
public final class LocalRun {

    private static final Duration LOOK = Duration.ofMillis(100);
    private static final String SHARDS = "shards";
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS");

    private final RunSettings settings;
    private final Terminal terminal;
    private final boolean isAsking;

    /**
     * @param isAsking whether to ask the model a question at the end
     */
    public LocalRun(RunSettings settings, Terminal terminal, boolean isAsking) {
        this.settings = settings;
        this.terminal = terminal;
        this.isAsking = isAsking;
    }

    /**
     * Runs to the end; every program it started has ended when it returns, however it returns.
     *
     * @param onResult hears of the result once model and report are written, before a kept run goes on
     */
    public void run(Consumer<RunResult> onResult) throws RunFailedException, InterruptedException {
        Optional<String> resumeSource = resumeSource();
        Path folder = createFolder();
        requireOwnCheckpoints(folder.resolve(ResumePath.CHECKPOINTS), resumeSource);
        try (ProcessGroup programs = new ProcessGroup(home(), folder.resolve("logs"));
                WorkerPlace place = place(programs, folder.resolve(SHARDS))) {
            run(folder, programs, place, resumeSource, onResult);
        } catch (IOException failed) {
            throw RunFailedException.remote(failed.toString());
        }
    }

    private WorkerPlace place(ProcessGroup programs, Path shards)
            throws IOException, RunFailedException, InterruptedException {
        if (settings.invoker() instanceof InvokerSettings.InOpenWhisk activations) {
            return WhiskPlace.open(activations, System.getenv(), shards);
        }
        return settings.invoker() instanceof InvokerSettings.InDocker containers
                ? DockerPlace.open(containers, home(), shards, terminal::tell)
                : new LocalPlace(programs);
    }

    private void run(
            Path folder,
            ProcessGroup programs,
            WorkerPlace place,
            Optional<String> resumeSource,
            Consumer<RunResult> onResult)
            throws IOException, RunFailedException, InterruptedException {
        terminal.tell(
                "preparing %s".formatted(settings.data().map(Path::toString).orElse("generated digits")));
        PreparedDataset dataset = PreparedDataset.prepare(settings, folder.resolve(SHARDS));
        terminal.tell("%s: %,d training and %,d test images in %d shards"
                .formatted(
                        dataset.name(),
                        dataset.train(),
                        dataset.test().count(),
                        dataset.shards().train().size()));
        Services services = Services.start(
                programs,
                settings,
                settings.server().environment(folder.resolve(ResumePath.CHECKPOINTS), resumeSource),
                dataset.shards().test(),
                place,
                terminal);
        services.awaitUp();
        terminal.tell("ps-service at %s, inference-api at %s, %d workers; logs in %s"
                .formatted(services.server(), services.inference(), settings.workers(), folder.resolve("logs")));

        WorkPlan plan = dataset.plan(settings.keep() ? 0 : settings.epochs(), place);
        RunWork work = RunWork.begin(services, plan);
        Fleet fleet = new Fleet(services.workers(), terminal::tell);
        Progress progress = new Progress(settings.target());
        Stopwatch watch = new Stopwatch();
        FinalEvaluation.Outcome outcome = train(services, work, fleet, progress, watch);
        RunReport report = new RunReport(settings, dataset, folder);
        RunResult result = report.write(
                outcome.model(),
                outcome.status(),
                progress,
                fleet.log(),
                work.surplus(outcome.status()),
                watch.seconds(),
                services.process().restarts());
        if (isAsking) {
            ask(services, dataset);
        }
        terminal.tell("accuracy %s of version %,d after %.1f s and %,d samples (%,.0f samples/s); the model is %s"
                .formatted(
                        Figures.percent(result.accuracy()),
                        result.version(),
                        result.seconds(),
                        result.samples(),
                        result.samplesPerSecond(),
                        result.modelPath()));
        if (!result.reachedTarget()) {
            terminal.tell("the target of %s was not reached in %d epochs"
                    .formatted(Figures.percent(settings.target()), settings.epochs()));
        }
        onResult.accept(result);
        if (settings.keep()) {
            goOn(services, work, fleet, progress, watch);
        }
    }

    /** Trains until the written model is at the target, or nothing is left to train on. */
    private FinalEvaluation.Outcome train(
            Services services, RunWork work, Fleet fleet, Progress progress, Stopwatch watch)
            throws IOException, RunFailedException, InterruptedException {
        FinalEvaluation evaluation = new FinalEvaluation(services);
        while (true) {
            watch.resume();
            fleet.start();
            watch(services, fleet, progress, watch, true);
            fleet.pause();
            work.close();
            while (fleet.isWorking()) {
                services.requireAlive();
                Thread.sleep(LOOK.toMillis());
            }
            throwFailure(fleet);
            watch.pause();
            FinalEvaluation.Outcome outcome = evaluation.evaluate();
            boolean isReached = progress.add(watch.seconds(), outcome.status());
            // The workers went on while the version at the target was evaluated: the newest one may be a little worse.
            if (isReached || work.isDone(outcome.status())) {
                return outcome;
            }
            work.open();
        }
    }

    /** Looks at the run until the target, or until the workers have nothing more to do. */
    private void watch(Services services, Fleet fleet, Progress progress, Stopwatch watch, boolean isEndingAtTarget)
            throws IOException, RunFailedException, InterruptedException {
        while (fleet.isWorking()) {
            throwFailure(fleet);
            StatusReply status = services.ask(PsClient::status);
            boolean isReached = progress.add(watch.seconds(), status);
            terminal.live(Figures.progress(status, progress.samplesPerSecond(), watch.seconds()));
            if (isReached && isEndingAtTarget) {
                return;
            }
            Thread.sleep(LOOK.toMillis());
        }
    }

    private static void throwFailure(Fleet fleet) throws RunFailedException {
        Optional<RunFailedException> failure = fleet.failure();
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    private void ask(Services services, PreparedDataset dataset) throws IOException, InterruptedException {
        new Question(services.inference(), terminal).ask(dataset.test(), settings.seed());
    }

    private void goOn(Services services, RunWork work, Fleet fleet, Progress progress, Stopwatch watch)
            throws IOException, RunFailedException, InterruptedException {
        terminal.tell("training and serving until Ctrl-C:");
        terminal.tell("  parameter server  %s/status".formatted(services.server()));
        terminal.tell("  inference         %s/predict".formatted(services.inference()));
        work.open();
        watch.resume();
        fleet.start();
        watch(services, fleet, progress, watch, false);
    }

    private Path createFolder() throws RunFailedException {
        Path folder = settings.out()
                .orElseGet(() -> Path.of(
                        "runs", LocalDateTime.now(ZoneId.systemDefault()).format(STAMP)))
                .toAbsolutePath()
                .normalize();
        try {
            return Files.createDirectories(folder);
        } catch (IOException unwritable) {
            throw RunFailedException.input("the folder %s cannot be made: %s".formatted(folder, unwritable));
        }
    }

    private Optional<String> resumeSource() throws RunFailedException {
        Optional<String> given = settings.server().resume();
        return given.isPresent() ? Optional.of(ResumePath.resolve(given.get())) : Optional.empty();
    }

    /** A server goes on from what is in its folder: what another run left there must be what the user wants. */
    private void requireOwnCheckpoints(Path checkpoints, Optional<String> resumeSource) throws RunFailedException {
        boolean isResumed = resumeSource.filter(checkpoints.toString()::equals).isPresent();
        if (settings.server().isKeeping() && !isResumed && ResumePath.hasCheckpoints(checkpoints)) {
            Path folder = checkpoints.getParent();
            throw RunFailedException.input(
                    "--out %s has the checkpoints of an earlier run: write another folder, or --resume %s to go on with that run"
                            .formatted(folder, folder));
        }
    }

    private static Path home() throws RunFailedException {
        String home = System.getProperty("fleetgrad.home");
        if (home == null) {
            throw RunFailedException.input(
                    "-Dfleetgrad.home is not set: start with the script ./fleetgrad, which sets it");
        }
        return Path.of(home);
    }
}

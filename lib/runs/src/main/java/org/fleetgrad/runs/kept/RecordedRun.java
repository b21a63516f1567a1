package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.output.RunFailedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A run in progress whose facts are written: when it begins, when more is known, and when it ends. A run that Ctrl-C or SIGTERM ends is
 * recorded as stopped once its programs have ended. Facts that can no longer be written fail no run. Thread-safe.
 */
public final class RecordedRun {

    /** Held-out results may come many times a second, and each write waits for the disk. */
    private static final Duration BETWEEN_WRITES = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path folder;
    private final Clock clock;
    private final Consumer<String> teller;
    private final Thread hook = new Thread(this::endInterrupted, "record-end");
    private RunFacts facts;
    private Instant written;
    private final boolean isRecorded;
    private boolean isOver;
    private boolean isTold;

    private RecordedRun(Path folder, RunFacts facts, Clock clock, Consumer<String> teller, boolean isRecorded) {
        this.folder = folder;
        this.facts = facts;
        this.clock = clock;
        this.teller = teller;
        this.isRecorded = isRecorded;
        this.written = clock.instant();
    }

    /** Returns a run that is a part of another one, and is not recorded. */
    public static RecordedRun unrecorded(Path folder) {
        RunFacts none = RunFacts.begun("", RunLabel.NONE, Instant.EPOCH, RunProcess.NONE, Map.of());
        return new RecordedRun(folder, none, Clock.systemUTC(), line -> {}, false);
    }

    /**
     * Records that a run begins.
     *
     * @param runs     that it joins
     * @param folder   its own, which exists
     * @param command  that runs it, such as {@code train}
     * @param settings as far as they are known
     * @param teller   receives a line about facts that cannot be written
     * @throws RunFailedException if its name is another run's, if a run is running in the folder, or if the folder takes no file
     */
    public static RecordedRun begin(
            KeptRuns runs,
            Path folder,
            String command,
            RunLabel label,
            Map<String, ?> settings,
            Clock clock,
            Consumer<String> teller)
            throws RunFailedException {
        Optional<KeptRun> earlier = runs.look(folder);
        if (earlier.isPresent() && earlier.get().state() == RunState.RUNNING) {
            throw RunFailedException.input("a run is running in %s: process %d; fleetgrad runs stop %s ends it"
                    .formatted(folder, earlier.get().facts().process().pid(), folder));
        }
        RunLabel called = earlier.map(run -> label.or(run.facts().label())).orElse(label);
        RunFacts begun = RunFacts.begun(command, called, clock.instant(), RunProcess.current(), texts(settings));
        // A run that continues in its folder keeps what it reached before.
        RunFacts facts =
                earlier.flatMap(run -> run.facts().best()).map(begun::measured).orElse(begun);
        RecordedRun run = new RecordedRun(folder, facts, clock, teller, true);
        if (label.name().isEmpty()) {
            run.add(runs.index());
            run.writeFirst();
        } else {
            run.takeName(runs, label.name().get());
        }
        Runtime.getRuntime().addShutdownHook(run.hook);
        return run;
    }

    private void takeName(KeptRuns runs, String name) throws RunFailedException {
        try {
            runs.index().alone(() -> {
                requireFree(runs.all(), name);
                add(runs.index());
                writeFirst();
            });
        } catch (IOException unwritable) {
            throw RunFailedException.input(
                    "--name %s: whether another run has it is not known, because %s takes no file: %s"
                            .formatted(name, runs.place(), unwritable));
        }
    }

    private void requireFree(List<KeptRun> all, String name) throws RunFailedException {
        for (KeptRun other : all) {
            if (!other.folder().equals(folder)
                    && (other.title().equals(name) || other.folderName().equals(name))) {
                throw RunFailedException.input(
                        "--name %s: the run in %s has this name; pass another, or remove that run with fleetgrad runs rm"
                                .formatted(name, other.folder()));
            }
        }
    }

    /** The entry comes first: a run that is killed between the two has done nothing yet. */
    private void add(RunIndex index) {
        try {
            index.add(folder);
        } catch (IOException unwritable) {
            teller.accept(
                    "fleetgrad runs will not list this run: %s takes no file: %s".formatted(index.runs(), unwritable));
        }
    }

    private void writeFirst() throws RunFailedException {
        try {
            FactsFile.write(folder, facts);
        } catch (IOException unwritable) {
            throw RunFailedException.input("the folder %s takes no file: %s".formatted(folder, unwritable));
        }
    }

    private static Map<String, String> texts(Map<String, ?> settings) {
        Map<String, String> texts = new LinkedHashMap<>();
        settings.forEach((name, value) -> texts.put(name.replaceFirst("^--", ""), String.valueOf(value)));
        return texts;
    }

    /** What a run does. */
    @FunctionalInterface
    public interface Body<T> {
        T run() throws RunFailedException, InterruptedException;
    }

    /** Does what the run does, and records how it ended. */
    public <T> T follow(Body<T> body) throws RunFailedException, InterruptedException {
        try {
            T result = body.run();
            end(RunState.ENDED, "");
            return result;
        } catch (RunFailedException failed) {
            end(RunState.FAILED, String.valueOf(failed.getMessage()));
            throw failed;
        } catch (InterruptedException interrupted) {
            end(RunState.STOPPED, "");
            throw interrupted;
        } catch (RuntimeException | Error bug) {
            end(RunState.FAILED, "unexpected: " + bug);
            throw bug;
        }
    }

    /** Adds settings, by their names, or by those of options. */
    public synchronized void describe(Map<String, ?> settings) {
        facts = facts.with(texts(settings));
        write();
    }

    /**
     * Says what is trained on what.
     *
     * @param network its complete name
     * @param dataset its name
     */
    public synchronized void describe(String network, String dataset) {
        facts = facts.training(network, Printable.text(dataset));
        write();
    }

    /** Takes a held-out result; the best one is written a few seconds later at most, if another one follows, or the run ends. */
    public synchronized void measured(Measure measure) {
        RunFacts before = facts;
        facts = facts.measured(measure);
        if (!facts.equals(before) && Duration.between(written, clock.instant()).compareTo(BETWEEN_WRITES) >= 0) {
            write();
        }
    }

    /**
     * Takes the result: of a run of workers or of a pipeline.
     *
     * @param json     an object
     * @param currency of its cost
     */
    public synchronized void result(String json, String currency) {
        JsonNode result = JsonMapper.shared().readTree(json);
        if (result.has("cost") && result instanceof ObjectNode object) {
            object.put("currency", currency);
        }
        facts = facts.resulting(ResultFigures.of(result));
        write();
    }

    private synchronized void end(RunState how, String reason) {
        isOver = how == RunState.ENDED;
        if (!isRecorded || isLeftToHook()) {
            return;
        }
        facts = facts.ending(new RunEnd(how, clock.instant(), reason));
        write();
    }

    /** While the JVM shuts down, a failure only says that the programs were ended. */
    private boolean isLeftToHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
            return false;
        } catch (IllegalStateException shuttingDown) {
            return true;
        }
    }

    private void endInterrupted() {
        awaitPrograms();
        synchronized (this) {
            facts = facts.ending(new RunEnd(isOver ? RunState.ENDED : RunState.STOPPED, clock.instant(), ""));
            write();
        }
    }

    /** Another hook ends the programs; a run is over when its parameter server has written its last checkpoint. */
    private static void awaitPrograms() {
        CompletableFuture<?>[] ends =
                ProcessHandle.current().children().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            Object unused = CompletableFuture.allOf(ends).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException stillThere) {
            // Whoever looks sees that the process is alive.
        }
    }

    private void write() {
        if (!isRecorded) {
            return;
        }
        try {
            FactsFile.write(folder, facts);
            written = clock.instant();
        } catch (IOException unwritable) {
            // The disk may have room again when the next facts come.
            if (!isTold) {
                isTold = true;
                teller.accept("fleetgrad runs does not know how this run goes on: %s".formatted(unwritable));
            }
        }
    }
}

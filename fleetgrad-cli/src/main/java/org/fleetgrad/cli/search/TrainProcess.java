package org.fleetgrad.cli.search;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.cli.display.ShellWord;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.files.owner.Owner;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.process.LogTail;
import org.fleetgrad.runs.process.ProgramFolder;
import org.fleetgrad.runs.search.Trial;
import org.fleetgrad.runs.search.TrialTraining;

/**
 * Trains each trial with {@code fleetgrad train} in a process of its own, which writes into {@code train.log} beside the logs of its
 * programs. Thread-safe. The process ends when this one does, however this one ends; Ctrl-C and SIGTERM stop it in order.
 */
final class TrainProcess implements TrialTraining {

    private static final String MODULE = "fleetgrad-cli";

    /** A run that is stopped takes a last checkpoint, and writes its best version. */
    private static final int PATIENCE_SECONDS = 120;

    private final Path directory;
    private final Path search;
    private final Terminal terminal;
    private final Thread hook = new Thread(this::stop, "end-trial");
    private boolean isStopping;
    private final Set<Process> running = new HashSet<>();

    /**
     * @param directory working directory of the trials
     * @param search    the search's folder
     */
    TrainProcess(Path directory, Path search, Terminal terminal) {
        this.directory = directory;
        this.search = search;
        this.terminal = terminal;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public String train(Trial trial, List<String> words) throws IOException, InterruptedException {
        Path log = Files.createDirectories(trial.folder().resolve("logs")).resolve("train.log");
        Process process = start(words, log);
        int code;
        try {
            code = process.waitFor();
        } catch (InterruptedException interrupted) {
            // The search failed with another trial: this one takes its last checkpoint, so that a search that is
            // resumed goes on from it.
            process.destroy();
            boolean unused = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            throw interrupted;
        } finally {
            ended(process);
        }
        synchronized (this) {
            if (isStopping) {
                throw new InterruptedException("the search is being stopped");
            }
        }
        return code == 0 ? "" : lastLine(log);
    }

    private synchronized Process start(List<String> words, Path log) throws IOException, InterruptedException {
        if (isStopping) {
            throw new InterruptedException("the search is being stopped");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        // The trial has another working directory, if the search was begun in another one.
        Path home = Path.of(System.getProperty("fleetgrad.home", ".")).toAbsolutePath();
        Path jar = ProgramFolder.jar(home, MODULE);
        if (!Files.exists(jar)) {
            throw new IOException("%s is not built: start with the script ./fleetgrad, which builds it".formatted(jar));
        }
        ProgramFolder.classes(home, MODULE).ifPresent(command::add);
        command.addAll(properties());
        command.addAll(List.of("-jar", jar.toString(), "train"));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put(Owner.VARIABLE, Owner.thisProcess());
        Process process = builder.start();
        running.add(process);
        return process;
    }

    private synchronized void ended(Process process) {
        running.remove(process);
    }

    /** What the script, or a test, says of this installation holds for the trial's programs, too; its terminal does not. */
    private static List<String> properties() {
        return System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("fleetgrad."))
                .filter(name -> !name.equals("fleetgrad.tty") && !name.equals("fleetgrad.columns"))
                .sorted()
                .map(name -> "-D%s=%s".formatted(name, System.getProperty(name)))
                .toList();
    }

    private static String lastLine(Path log) throws IOException {
        return LogTail.lines(log, 1).stream().findFirst().map(Printable::text).orElse("");
    }

    /** The search is over. */
    void end() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook is running; no process is left to stop.
        }
    }

    private void stop() {
        List<Process> training;
        synchronized (this) {
            isStopping = true;
            training = running.stream().filter(Process::isAlive).toList();
        }
        if (!training.isEmpty()) {
            terminal.farewell(
                    training.size() == 1
                            ? "stopping the trial: it takes its last checkpoint"
                            : "stopping %d trials: each takes its last checkpoint".formatted(training.size()));
            training.forEach(Process::destroy);
            awaitEnds(training);
        }
        terminal.farewell("stopped; go on: fleetgrad search --resume %s".formatted(ShellWord.of(search.toString())));
    }

    private static void awaitEnds(List<Process> training) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try {
            for (Process each : training) {
                boolean unused = each.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

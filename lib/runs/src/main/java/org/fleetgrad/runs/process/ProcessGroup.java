package org.fleetgrad.runs.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.fleetgrad.files.owner.Owner;
import org.fleetgrad.runs.start.StartWatch;

/**
 * The programs of a run. They end with it, however it ends: by {@link #close}, by Ctrl-C, by SIGTERM, or by SIGKILL, which
 * they detect themselves. Thread-safe.
 */
public final class ProcessGroup implements AutoCloseable {

    /** Until a program that was told to end is killed. One that archives its classes at its end takes longer (ADR 50). */
    private static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("fleetgrad.patience", 8));

    private static final Pattern SECURITY = Pattern.compile(
            "(PS_SECURITY|SERVER_SSL|SPRING_SSL)_.*|INFERENCE_((ACCESS|SECRET)KEY(FILE)?|TRUST)|FLEETGRAD_((ACCESS|SECRET)_KEY(_FILE)?|TRUST)|OPENWHISK_AUTH(_FILE)?|MLFLOW_TRACKING_.*");

    private final Path home;
    private final Path logs;
    private final StartWatch watch;
    private final List<ProgramProcess> programs = new CopyOnWriteArrayList<>();
    private final Thread hook = new Thread(this::endAll, "end-programs");
    private volatile boolean isClosed;
    private volatile Room room = Room.NONE;

    /**
     * @param home  the checkout
     * @param logs  folder for their output
     * @param watch waits for their starts
     */
    public ProcessGroup(Path home, Path logs, StartWatch watch) {
        this.home = home;
        this.logs = logs;
        this.watch = watch;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public StartWatch watch() {
        return watch;
    }

    /**
     * Sizes the heaps of later programs for a parameter set.
     *
     * @param bytes            of the parameter set
     * @param moreServerCopies of it that a parameter server stores by its settings
     */
    public void makeRoomFor(long bytes, int moreServerCopies) {
        room = Room.here(bytes, moreServerCopies);
    }

    /** Starts a program with settings as environment variables; the run fails if the program ends. */
    public ProgramProcess start(Program program, String name, Map<String, String> environment) throws IOException {
        return start(program, name, environment, program.command(home, room), false);
    }

    /** Starts a program that may end: another process replaces it then. */
    public ProgramProcess startReplaceable(Program program, String name, Map<String, String> environment)
            throws IOException {
        return start(program, name, environment, program.command(home, room), true);
    }

    /**
     * Starts a program that may end, with a heap of its own size and with arguments.
     *
     * @param heapBytes largest heap
     */
    public ProgramProcess startReplaceable(
            Program program, String name, Map<String, String> environment, long heapBytes, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(program.commandWithHeap(home, heapBytes));
        command.addAll(arguments);
        return start(program, name, environment, command, true);
    }

    private ProgramProcess start(
            Program program, String name, Map<String, String> environment, List<String> command, boolean isReplaceable)
            throws IOException {
        Path jar = program.jar(home);
        if (!Files.exists(jar)) {
            throw new IOException("%s is not built: %s is missing".formatted(program.module(), jar));
        }
        Files.createDirectories(logs);
        Path log = logs.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        // The shell's environment may be for another server: a run on this machine must not inherit it.
        builder.environment()
                .keySet()
                .removeIf(variable -> SECURITY.matcher(variable).matches());
        builder.environment().putAll(environment);
        builder.environment().put(Owner.VARIABLE, Owner.thisProcess());
        PortFile portFile = new PortFile(logs.resolve(name + ".port"));
        portFile.clear();
        builder.environment().put(PortFile.VARIABLE, portFile.path().toString());
        PortFile serving = new PortFile(logs.resolve(name + ".serving-port"));
        serving.clear();
        builder.environment().put(PortFile.SERVING_VARIABLE, serving.path().toString());
        Malloc.settings(room.parameterBytes()).forEach(builder.environment()::putIfAbsent);
        return add(name, builder, log, new ProgramProcess.PortFiles(portFile, serving), isReplaceable);
    }

    private synchronized ProgramProcess add(
            String name, ProcessBuilder builder, Path log, ProgramProcess.PortFiles ports, boolean isReplaceable)
            throws IOException {
        if (isClosed) {
            throw new IOException("the run is ending: %s was not started".formatted(name));
        }
        ProgramProcess program = new ProgramProcess(name, builder.start(), log, ports, isReplaceable);
        programs.add(program);
        return program;
    }

    /** Returns an ended program that nothing replaces; empty if there is none. */
    public Optional<ProgramProcess> anyEnded() {
        return programs.stream()
                .filter(program -> !program.isReplaceable() && !program.isAlive())
                .findFirst();
    }

    /** Returns whether a program is in the group. */
    public boolean has(ProgramProcess program) {
        return programs.contains(program);
    }

    /** Removes an ended program from the group; another process replaces it. */
    public void forget(ProgramProcess ended) {
        programs.remove(ended);
    }

    /** Ends a program and removes it from the group. */
    public void end(ProgramProcess program) {
        forget(program);
        program.terminate();
        program.awaitEnd(PATIENCE);
    }

    /** Ends every program: sends SIGTERM to all, waits, and kills the remaining ones. */
    @Override
    public void close() {
        endAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The JVM is shutting down, and the hook is running.
        }
    }

    private synchronized void endAll() {
        isClosed = true;
        programs.forEach(ProgramProcess::terminate);
        programs.forEach(program -> program.awaitEnd(PATIENCE));
    }
}

package org.fleetgrad.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.testing.RepositoryRoot;

/** One of the built programs, started by hand so that a test can kill it. */
public final class JarProcess {

    private static final List<String> SMALL_AND_QUICK =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Process process;

    private final StartedProgram started;

    private JarProcess(Process process, String name, Path log) {
        this.process = process;
        this.started = new StartedProgram(name, process.toHandle(), log);
    }

    /** Starts a program. */
    public static JarProcess start(String module, Path log, Map<String, String> environment) throws IOException {
        return start(List.of(), module, log, environment);
    }

    /**
     * Starts a program.
     *
     * @param wrapper put before the command, such as {@code prlimit --fsize=100000}; it must exec
     */
    public static JarProcess start(List<String> wrapper, String module, Path log, Map<String, String> environment)
            throws IOException {
        return start(wrapper, quick(ClassArchives.flags(module)), module, List.of(), log, environment);
    }

    /** Starts a program with these flags of the JVM and no others, such as those of its image. */
    public static JarProcess startAsShipped(
            List<String> flags, String module, Path log, Map<String, String> environment) throws IOException {
        return start(List.of(), flags, module, List.of(), log, environment);
    }

    /** Starts a program with the flags of its image that name no folders, and the memory of its container. */
    public static JarProcess startAsShipped(int mebibytes, String module, Path log, Map<String, String> environment)
            throws IOException {
        Path options = RepositoryRoot.path().resolve("docker").resolve(module).resolve("jvm.options");
        List<String> flags = new ArrayList<>(List.of("-XX:MaxRAM=%dm".formatted(mebibytes)));
        Files.readAllLines(options).stream()
                .filter(line -> line.startsWith("-XX"))
                .forEach(flags::add);
        return startAsShipped(flags, module, log, environment);
    }

    /** Starts a program with arguments. */
    public static JarProcess start(String module, List<String> arguments, Path log, Map<String, String> environment)
            throws IOException {
        return start(List.of(), quick(ClassArchives.flags(module)), module, arguments, log, environment);
    }

    /** Starts a class of a class path: {@code program} is what follows the JVM's flags. */
    public static JarProcess startClass(List<String> program, Path log, Map<String, String> environment)
            throws IOException {
        return start(List.of(), quick(List.of()), program, log, environment);
    }

    private static List<String> quick(List<String> more) {
        List<String> flags = new ArrayList<>(SMALL_AND_QUICK);
        flags.addAll(more);
        return flags;
    }

    private static JarProcess start(
            List<String> wrapper,
            List<String> flags,
            String module,
            List<String> arguments,
            Path log,
            Map<String, String> environment)
            throws IOException {
        List<String> program = new ArrayList<>(List.of("-jar", jar(module).toString()));
        program.addAll(arguments);
        return start(wrapper, flags, program, log, environment);
    }

    private static JarProcess start(
            List<String> wrapper, List<String> flags, List<String> program, Path log, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new JarProcess(builder.start(), name(program), log);
    }

    private static String name(List<String> program) {
        return Path.of(program.get(Math.min(1, program.size() - 1)))
                .getFileName()
                .toString();
    }

    /** Waits until the program is up, as long as it gets on; an {@link IOException} of the condition means not yet. */
    public void awaitUp(Callable<Boolean> isUp) {
        started.await("come up", isUp);
    }

    /** Returns the jar of a program. */
    public static Path jar(String module) {
        return RepositoryRoot.path().resolve(module).resolve("target").resolve(module + ".jar");
    }

    /** Kills the program as {@code kill -9} does, and waits until it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Sends a signal, such as {@code STOP}. */
    public void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -%s %d ended with %d".formatted(name, process.pid(), status));
        }
    }

    /** Waits for the end and returns the exit code. */
    public int await(Duration timeout) throws InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("process %d still runs after %s".formatted(process.pid(), timeout));
        }
        return process.exitValue();
    }

    /** Returns whether the program is running. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the id of the process. */
    public long pid() {
        return process.pid();
    }
}

package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.testing.RepositoryRoot;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command as a user starts it: a separate process, with the programs of this build. */
public final class FleetgradProcess implements AutoCloseable {

    private static final Pattern SERVED = Pattern.compile("inference-api at (http:[^,;\\s]+)");

    /** The module of the command itself. */
    static final String COMMAND = "fleetgrad-cli";

    private static final List<String> PROGRAMS = List.of("ps-service", "worker-action", "inference-api");

    private final Process process;
    private final Path stdout;
    private final Path stderr;

    private FleetgradProcess(Process process, Path stdout, Path stderr) {
        this.process = process;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    public static FleetgradProcess start(Path folder, String... arguments) throws IOException {
        return start(folder, Map.of(), arguments);
    }

    /** Starts the command; it and the programs that it starts have flags for a life of seconds. */
    public static FleetgradProcess start(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> flags = new ArrayList<>(ClassArchives.flags(COMMAND));
        for (String program : PROGRAMS) {
            flags.add(flagsOf(program, quick(ClassArchives.flags(program))));
        }
        return start(folder, environment, flags, arguments);
    }

    /**
     * Starts the command without class archives.
     *
     * @param more further flags of the JVMs by program; those of the command itself are {@link #COMMAND}'s
     */
    public static FleetgradProcess startWith(Path folder, Map<String, List<String>> more, String... arguments)
            throws IOException {
        List<String> flags = new ArrayList<>(more.getOrDefault(COMMAND, List.of()));
        for (String program : PROGRAMS) {
            flags.add(flagsOf(program, quick(more.getOrDefault(program, List.of()))));
        }
        return start(folder, Map.of(), flags, arguments);
    }

    private static String flagsOf(String program, List<String> flags) {
        return "-Dfleetgrad.flags.%s=%s".formatted(program, String.join(" ", flags));
    }

    private static List<String> quick(List<String> more) {
        List<String> flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        // The command takes blanks for the ends of flags.
        more.stream().filter(flag -> !flag.contains(" ")).forEach(flags::add);
        return flags;
    }

    /** Starts the command with the very flags that a user's programs have. */
    static FleetgradProcess startAsShipped(Path folder, String... arguments) throws IOException {
        return start(folder, Map.of(), List.of(), arguments);
    }

    private static FleetgradProcess start(
            Path folder, Map<String, String> environment, List<String> flags, String... arguments) throws IOException {
        Path root = RepositoryRoot.path();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dfleetgrad.home=" + root));
        command.addAll(flags);
        command.addAll(List.of("-jar", JarProcess.jar(COMMAND).toString()));
        command.addAll(List.of(arguments));
        Path stdout = folder.resolve("stdout");
        Path stderr = folder.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(stdout.toFile())
                .redirectError(stderr.toFile());
        builder.environment().putAll(environment);
        return new FleetgradProcess(builder.start(), stdout, stderr);
    }

    /**
     * Waits for the end and returns the exit code.
     *
     * @param timeout with a command that does not get on; of one that does, five times as much. It is meant for a
     *     machine of its own
     */
    public int await(Duration timeout) throws IOException {
        long end = System.nanoTime() + timeout.multipliedBy(5).toNanos();
        ProcessHandle command = process.toHandle();
        new StartedProgram("fleetgrad", command, stderr).await(timeout, "end", () -> {
            if (command.isAlive() && System.nanoTime() > end) {
                throw new AssertionError(
                        "still running after %s; stderr: %s".formatted(timeout.multipliedBy(5), stderr()));
            }
            return !command.isAlive();
        });
        // The system knows of the end before this object does.
        return process.onExit().join().exitValue();
    }

    /** Returns whether the command has not ended. */
    boolean isRunning() {
        return process.isAlive();
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Sends SIGINT to the command alone, as Ctrl-C does to it and its programs. */
    void interrupt() throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(code).as("kill -INT").isZero();
    }

    /** Sends SIGKILL to the command alone. */
    void kill() {
        process.destroyForcibly();
    }

    /** Returns the programs that the command has started and that are still running. */
    List<ProcessHandle> programs() {
        return process.descendants().filter(ProcessHandle::isAlive).toList();
    }

    public JsonNode lastLineAsJson() throws IOException {
        List<String> lines = Files.readAllLines(stdout);
        return JsonMapper.builder().build().readTree(lines.get(lines.size() - 1));
    }

    public String stderr() throws IOException {
        return Files.readString(stderr, StandardCharsets.UTF_8);
    }

    /** Asks the inference API whose address the command has printed, and returns its answer. */
    JsonNode ask(String path, String body) throws IOException, InterruptedException {
        Matcher served = SERVED.matcher(stderr());
        assertThat(served.find()).as(stderr()).isTrue();
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(served.group(1) + path))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        return JsonMapper.shared().readTree(response.body());
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

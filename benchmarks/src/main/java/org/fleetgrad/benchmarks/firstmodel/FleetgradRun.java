package org.fleetgrad.benchmarks.firstmodel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.jspecify.annotations.Nullable;

/** One {@code ./fleetgrad train}, watched from outside: by its files, its processes and the server's version. */
final class FleetgradRun {

    private static final long LOOK_MS = 10;
    private static final List<String> LISTENING = List.of("ps-service", "inference-api", "worker-1", "worker-2");

    private final Process process;
    private final Path logs;
    private final double target;
    private final Course course;
    private @Nullable PsClient server;

    private FleetgradRun(Process process, Path logs, double target, Course course) {
        this.process = process;
        this.logs = logs;
        this.target = target;
        this.course = course;
    }

    /**
     * Runs to the end.
     *
     * @param out    the run's folder, which does not exist yet
     * @param target the accuracy that ends the run
     */
    static double[] measure(Programs programs, Path data, Path out, double target)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        List<String> command = List.of(
                Programs.HOME.resolve("fleetgrad").toString(),
                "train",
                "--data",
                data.toString(),
                "--workers",
                "2",
                "--target-accuracy",
                Double.toString(target),
                "--out",
                out.toString());
        Process process = programs.startOther("first-model", command, Map.of());
        Course course = new Course(process.toHandle(), begin);
        new FleetgradRun(process, out.resolve("logs"), target, course).watch();
        return course.values();
    }

    private void watch() throws IOException, InterruptedException {
        while (process.isAlive()) {
            if (!course.has(Moment.PROGRAMS) && areListening()) {
                course.reach(Moment.PROGRAMS);
            }
            if (!course.has(Moment.LIBTORCH) && haveLibtorch()) {
                course.reach(Moment.LIBTORCH);
            }
            if (!course.has(Moment.TARGET)) {
                askServer();
            }
            Thread.sleep(LOOK_MS);
        }
        if (process.exitValue() != 0) {
            throw new IOException("fleetgrad train ended with exit code " + process.exitValue());
        }
        course.reach(Moment.EXIT);
    }

    private boolean areListening() throws IOException {
        for (String program : LISTENING) {
            if (port(program).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private Optional<String> port(String program) throws IOException {
        try {
            return Optional.of(Files.readString(logs.resolve(program + ".port")))
                    .filter(port -> port.matches("\\d+"));
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        }
    }

    private boolean haveLibtorch() {
        return process.descendants()
                        .filter(program ->
                                program.info().commandLine().orElse("").contains("worker-action.jar"))
                        .filter(FleetgradRun::hasLibtorch)
                        .count()
                == 2;
    }

    private static boolean hasLibtorch(ProcessHandle program) {
        try (Stream<String> files = Files.lines(Path.of("/proc", Long.toString(program.pid()), "maps"))) {
            return files.anyMatch(file -> file.contains("libtorch_cpu"));
        } catch (IOException | UncheckedIOException ended) {
            return false;
        }
    }

    private void askServer() throws IOException {
        try {
            Optional<String> port = server == null ? port("ps-service") : Optional.empty();
            if (port.isPresent()) {
                server = new PsClient(
                        URI.create("http://127.0.0.1:" + port.get()),
                        ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
            }
            if (server == null) {
                return;
            }
            VersionReply reply = server.version();
            if (reply.version() >= 1) {
                course.reach(Moment.GRADIENT);
            }
            if (reply.version() >= 1000) {
                course.reach(Moment.THOUSANDTH);
            }
            if (Objects.requireNonNullElse(reply.accuracy(), 0.0) >= target) {
                course.reach(Moment.TARGET);
                course.samples(server.status().samples());
            }
        } catch (IOException notYet) {
            // It listens a moment later, or the run is ending: the loop sees which.
        }
    }
}

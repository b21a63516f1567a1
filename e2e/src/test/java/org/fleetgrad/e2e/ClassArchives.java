package org.fleetgrad.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.testing.FreePorts;
import org.fleetgrad.testing.RepositoryRoot;

/**
 * Classes of the programs as their JVMs have them loaded, so that the many processes of these tests start in half the time. They
 * are written by a run that trains and evaluates once.
 */
final class ClassArchives {

    private static final List<String> PROGRAMS = List.of("ps-service", "worker-action", "inference-api");
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /** What a JVM that SIGTERM ended in order exits with: 128 + 15. */
    private static final int ENDED_BY_SIGTERM = 143;

    private final Path folder;
    private final Map<String, JarProcess> running = new HashMap<>();

    private ClassArchives(Path folder) {
        this.folder = folder;
    }

    /** Returns the flag for a program's JVM, or nothing if the program has no archive; makes the archives of this build if need be. */
    static synchronized List<String> flags(String program) throws IOException {
        if (!PROGRAMS.contains(program) && !program.equals(FleetgradProcess.COMMAND)) {
            return List.of();
        }
        Path folder = Files.createDirectories(RepositoryRoot.path().resolve("e2e/target/archives"));
        if (!Stream.concat(Stream.of(FleetgradProcess.COMMAND), PROGRAMS.stream())
                .allMatch(each -> isOfThisBuild(archive(folder, each), JarProcess.jar(each)))) {
            try {
                new ClassArchives(folder).make();
                makeOfCommand(folder);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                throw new IOException("stopped while class archives were made", stopping);
            }
        }
        // A JVM that cannot use it says so in its log and starts without.
        return List.of("-XX:SharedArchiveFile=" + archive(folder, program));
    }

    private static Path archive(Path folder, String program) {
        return folder.resolve(program + ".jsa");
    }

    private static boolean isOfThisBuild(Path archive, Path jar) {
        try {
            return Files.exists(archive)
                    && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) > 0;
        } catch (IOException unreadable) {
            return false;
        }
    }

    private void make() throws IOException, InterruptedException {
        try {
            train();
            for (JarProcess program : running.values()) {
                program.signal("TERM");
            }
            for (Map.Entry<String, JarProcess> program : running.entrySet()) {
                int code = program.getValue().await(TIMEOUT);
                if (code != ENDED_BY_SIGTERM) {
                    throw new IOException(
                            "%s ended with %d; its log is in %s".formatted(program.getKey(), code, folder));
                }
                Files.move(
                        half(program.getKey()), archive(folder, program.getKey()), StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            for (JarProcess program : running.values()) {
                program.kill();
            }
        }
    }

    /** One epoch, with programs of its own: the classes of the command in a short run. */
    private static void makeOfCommand(Path folder) throws IOException {
        Path half = folder.resolve(FleetgradProcess.COMMAND + ".half");
        Files.deleteIfExists(half);
        Path own = Files.createTempDirectory(folder, "run");
        // Old class files, such as picocli's, cannot be archived, and each would be a warning.
        List<String> flags = List.of("-XX:ArchiveClassesAtExit=" + half, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
        try (FleetgradProcess train = FleetgradProcess.startWith(
                own,
                Map.of(FleetgradProcess.COMMAND, flags),
                "train",
                "--json",
                "--out",
                "run",
                "--workers",
                "1",
                "--train-samples",
                "320",
                "--test-samples",
                "64",
                "--epochs",
                "1")) {
            int code = train.await(TIMEOUT);
            if (code != 0) {
                throw new IOException(
                        "the run that writes a class archive ended with %d: %s".formatted(code, train.stderr()));
            }
        }
        Files.move(half, archive(folder, FleetgradProcess.COMMAND), StandardCopyOption.REPLACE_EXISTING);
    }

    /** One epoch on one shard, evaluated: the classes of a short run. */
    private void train() throws IOException, InterruptedException {
        ShardSet shards = ShardSet.write(
                folder.resolve("shards"),
                "digits",
                SyntheticDigits.generate(320, 1),
                SyntheticDigits.generate(64, 2),
                1);
        URI server = URI.create("http://127.0.0.1:" + FreePorts.next());
        URI worker = URI.create("http://127.0.0.1:" + FreePorts.next());
        start("ps-service", Map.of("SERVER_PORT", Integer.toString(server.getPort())));
        start(
                "worker-action",
                Map.of("WORKER_PORT", Integer.toString(worker.getPort()), "WORKER_ADDRESS", "127.0.0.1"));
        start(
                "inference-api",
                Map.of(
                        "SERVER_PORT", Integer.toString(FreePorts.next()),
                        "INFERENCE_SERVER", server.toString(),
                        "INFERENCE_TESTSHARD", shards.test().toString()));
        PsClient client = new PsClient(server, ClientOptions.DEFAULT);
        awaitUp("ps-service", () -> client.version().code() == 200);
        awaitUp("worker-action", () -> post(worker.resolve("/init"), "{\"value\":{}}"));
        String run =
                "{\"value\":{\"batch_sz_train\":32,\"update_intv\":1,\"epoch_n\":1,\"apihost\":\"%s\",\"dataset_url\":\"%s\"}}"
                        .formatted(server, shards.train().get(0).toUri());
        if (!post(worker.resolve("/run"), run)) {
            throw new IOException("the worker did not train; its log is in " + folder);
        }
        awaitUp("inference-api", () -> client.accuracy().accuracy() != null);
    }

    private void awaitUp(String program, Callable<Boolean> isUp) {
        Objects.requireNonNull(running.get(program), program).awaitUp(isUp);
    }

    private void start(String program, Map<String, String> environment) throws IOException {
        Files.deleteIfExists(archive(folder, program));
        running.put(
                program,
                JarProcess.startPlain(
                        List.of("-XX:ArchiveClassesAtExit=" + half(program)),
                        program,
                        folder.resolve(program + ".log"),
                        environment));
    }

    /** Where an archive is written: it gets its name when it is whole. */
    private Path half(String program) {
        return folder.resolve(program + ".half");
    }

    private static boolean post(URI uri, String body) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(uri)
                                        .POST(HttpRequest.BodyPublishers.ofString(body))
                                        .build(),
                                HttpResponse.BodyHandlers.discarding())
                        .statusCode()
                == 200;
    }
}

package org.fleetgrad.e2e.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.testing.FreePorts;
import org.jspecify.annotations.Nullable;

/** A ps-service with one port and one folder, which is killed and started again. */
final class ServerUnderTest implements PartitionServer {

    /** Exit code of a JVM that ended in order after SIGTERM: 128 + 15. */
    static final int ENDED_BY_SIGTERM = 143;

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Path log;
    private final int port;
    private final Map<String, String> environment = new HashMap<>();
    private final Direct direct;
    private final UpTime upTime = new UpTime();
    private List<String> wrapper = List.of();
    private @Nullable JarProcess process;

    /** A client of a server without a proxy. */
    static final class Direct {

        private static final Duration TIMEOUT = Duration.ofSeconds(60);

        private final URI address;
        private final HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .build();

        Direct(int port) {
            this.address = URI.create("http://127.0.0.1:" + port);
        }

        HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
            return http.send(
                    HttpRequest.newBuilder(address.resolve(path))
                            .timeout(TIMEOUT)
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }

        HttpResponse<byte[]> post(String path, byte[] tensors) throws IOException, InterruptedException {
            return http.send(
                    HttpRequest.newBuilder(address.resolve(path))
                            .timeout(TIMEOUT)
                            .header("Content-Type", HeaderNames.SAFETENSORS)
                            .POST(HttpRequest.BodyPublishers.ofByteArray(tensors))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }

        void awaitReady(JarProcess process) {
            process.awaitUp(() -> get("/getVersion").statusCode() == 200);
        }
    }

    /** Makes a server with its run in {@code folder}; does not start it. */
    ServerUnderTest(Path folder, Map<String, String> settings) throws IOException {
        this(folder, folder.resolveSibling(folder.getFileName() + ".log"), settings);
    }

    /** Makes a server whose log is in another place than its folder. */
    ServerUnderTest(Path folder, Path log, Map<String, String> settings) throws IOException {
        Files.createDirectories(folder);
        this.log = log;
        this.port = FreePorts.next();
        this.direct = new Direct(port);
        environment.put("PS_DURABILITY_MODE", "journal");
        environment.put("PS_DURABILITY_LOCATION", folder.toString());
        environment.putAll(settings);
        environment.put("SERVER_PORT", Integer.toString(port));
    }

    /** Puts a command before the server's command, from the next start on. */
    void wrap(List<String> command) {
        wrapper = command;
    }

    /** Changes a setting from the next start on. */
    void set(String setting, String value) {
        environment.put(setting, value);
    }

    /** Starts the server and waits until it has recovered its run. */
    void start() throws IOException, InterruptedException {
        launch();
        awaitReady();
    }

    /** Starts the server. */
    void launch() throws IOException {
        process = JarProcess.start(wrapper, "ps-service", log, environment);
    }

    /** Waits until the server has recovered its run. */
    void awaitReady() {
        direct.awaitReady(process());
        upTime.begin();
    }

    /** Starts the server, which must refuse to run; returns its exit code. */
    int startInVain() throws IOException, InterruptedException {
        launch();
        return process().await(TIMEOUT);
    }

    void kill() throws InterruptedException {
        upTime.end();
        process().kill();
    }

    /** Stops the server with SIGTERM, and returns its exit code. */
    int terminate() throws IOException, InterruptedException {
        upTime.end();
        process().signal("TERM");
        return process().await(TIMEOUT);
    }

    void freeze() throws IOException, InterruptedException {
        upTime.end();
        process().signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        process().signal("CONT");
        upTime.begin();
    }

    /** Returns the folder of the run. */
    Path folder() {
        return Path.of(environment.getOrDefault("PS_DURABILITY_LOCATION", ""));
    }

    /** Returns a thread dump of the server's JVM. */
    String threads() {
        try {
            Process dump = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(process().pid()),
                            "Thread.print")
                    .redirectErrorStream(true)
                    .start();
            return new String(dump.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        } catch (IOException failed) {
            return "no thread dump of the server: " + failed;
        }
    }

    Direct direct() {
        return direct;
    }

    UpTime upTime() {
        return upTime;
    }

    @Override
    public int port() {
        return port;
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    private JarProcess process() {
        if (process == null) {
            throw new IllegalStateException("the server was not started");
        }
        return process;
    }

    @Override
    public void close() {
        try {
            if (process != null) {
                process.kill();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}

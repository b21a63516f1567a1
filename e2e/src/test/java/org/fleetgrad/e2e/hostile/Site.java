package org.fleetgrad.e2e.hostile;

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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.testing.FreePorts;

/** Both services with keys, each as its own process with the flags of its image and the memory of its container. */
final class Site implements AutoCloseable {

    /** Signs the tokens of both services; the suite knows it, to sign tokens that expired and tokens from the future. */
    static final byte[] TOKEN_KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(10);
    static final List<String> PROGRAMS = List.of("ps-service", "inference-api");

    private static final List<String> ROLES = List.of("worker", "reader", "evaluator", "operator");
    /** Of the containers in docker/kubernetes, in MiB. */
    private static final int MEMORY = 512;

    private final Path folder;
    private final HonestWorkers workers;
    private final URI server = URI.create("http://127.0.0.1:" + FreePorts.next());
    private final URI answers = URI.create("http://127.0.0.1:" + FreePorts.next());
    private final Map<String, JarProcess> programs = new HashMap<>();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(HEALTH_TIMEOUT)
            .build();

    Site(Path folder, Tally tally) {
        this.folder = folder;
        this.workers = new HonestWorkers(server, credentials("worker"), tally);
    }

    /** Starts the services that do not run, and waits until they are healthy. */
    void start() throws IOException {
        Path key = Files.write(folder.resolve("token-key"), TOKEN_KEY);
        Map<String, String> ofServer = keys("PS", key);
        ofServer.put("SERVER_PORT", Integer.toString(server.getPort()));
        ofServer.put("PS_DURABILITY_MODE", "journal");
        ofServer.put("PS_DURABILITY_LOCATION", folder.resolve("run").toString());
        ofServer.put("PS_LEARNINGRATE", Float.toString(HonestWorkers.LEARNING_RATE));
        start("ps-service", ofServer);
        Map<String, String> ofAnswers = keys("INFERENCE", key);
        ofAnswers.put("SERVER_PORT", Integer.toString(answers.getPort()));
        ofAnswers.put("INFERENCE_SERVER", server.toString());
        ofAnswers.put("INFERENCE_ACCESSKEY", "evaluator");
        ofAnswers.put("INFERENCE_SECRETKEY", secret("evaluator"));
        start("inference-api", ofAnswers);
        programs.forEach((program, running) -> running.awaitUp(() -> isHealthy(program)));
    }

    private void start(String program, Map<String, String> settings) throws IOException {
        JarProcess running = programs.get(program);
        if (running == null || !running.isAlive()) {
            programs.put(
                    program, JarProcess.startAsShipped(MEMORY, program, folder.resolve(program + ".log"), settings));
        }
    }

    /** Ends ps-service as {@code kill -9} does, and starts it again. */
    void killServer() throws IOException, InterruptedException {
        JarProcess running = programs.remove("ps-service");
        if (running != null) {
            running.kill();
        }
        start();
    }

    /** Tells whether a program answers that it is alive, within ten seconds. */
    boolean isHealthy(String program) {
        try {
            HttpRequest request = HttpRequest.newBuilder(address(program).resolve("/actuator/health/liveness"))
                    .timeout(HEALTH_TIMEOUT)
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IOException silent) {
            return false;
        }
    }

    /** Returns why a program counts as dead; empty if it lives and is in the memory of its container. */
    List<String> deaths() throws IOException {
        List<String> deaths = new ArrayList<>();
        for (String program : PROGRAMS) {
            JarProcess running = programs.get(program);
            if (running == null || !running.isAlive()) {
                deaths.add(program + " ended: " + lastLines(program));
            } else if (!isHealthy(program)) {
                deaths.add("%s does not say within %s that it is alive".formatted(program, HEALTH_TIMEOUT));
            } else if (megabytes(program) > MEMORY) {
                deaths.add("%s holds %d MiB, and its container has %d".formatted(program, megabytes(program), MEMORY));
            }
        }
        return deaths;
    }

    private String lastLines(String program) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(program + ".log"));
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
    }

    /** Returns the memory of a program that no file stands behind, which is what a container's limit counts; Linux only. */
    long megabytes(String program) throws IOException {
        JarProcess running = programs.get(program);
        Path status = Path.of("/proc/%d/status".formatted(running == null ? 0 : running.pid()));
        if (!Files.exists(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("RssAnon:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                        .sum()
                / 1024;
    }

    /** Sends a request, and returns the status of its answer; 0 if there is none. */
    int status(HttpRequest.Builder request) throws InterruptedException {
        try {
            return http.send(request.timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException none) {
            return 0;
        }
    }

    private URI address(String program) {
        return program.equals("ps-service") ? server : answers;
    }

    URI server() {
        return server;
    }

    URI answers() {
        return answers;
    }

    HonestWorkers workers() {
        return workers;
    }

    /** Returns the value of the header {@code Authorization} for a role at ps-service; inference-api takes it too. */
    String authorization(String role) throws IOException {
        return new ServiceToken(server, credentials(role), ClientOptions.DEFAULT)
                .authorization()
                .orElseThrow();
    }

    static Credentials credentials(String role) {
        return new Credentials(role, secret(role));
    }

    static String secret(String role) {
        return "secret-of-" + role;
    }

    private static Map<String, String> keys(String service, Path tokenKey) {
        Map<String, String> settings = new HashMap<>();
        settings.put(service + "_SECURITY_TOKENKEYFILE", tokenKey.toString());
        for (String role : ROLES) {
            String name = "%s_SECURITY_KEYS_%s_".formatted(service, role.toUpperCase(Locale.ROOT));
            settings.put(name + "ACCESSKEY", role);
            settings.put(name + "SECRETKEY", secret(role));
        }
        return settings;
    }

    @Override
    public void close() {
        try {
            workers.close();
            for (JarProcess program : programs.values()) {
                program.kill();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the programs ended", interrupted);
        }
    }
}

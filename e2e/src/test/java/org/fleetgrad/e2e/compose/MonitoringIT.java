package org.fleetgrad.e2e.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.e2e.container.Docker;
import org.fleetgrad.testing.FreePorts;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.Requirement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts Prometheus, beside a parameter server with keys. */
@Tag("whole")
class MonitoringIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final String SECRET = "a \"reader's\" secret";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void shouldKeepATokenThatReadsTheMetrics(@TempDir Path folder) throws Exception {
        Requirement.DOCKER.check(Docker.isFine("wget", "--version"), "wget, as the image of Prometheus has it");
        URI server = URI.create("http://127.0.0.1:" + FreePorts.next());
        Path token = folder.resolve("token");
        Process prometheus = start(server, token);
        JarProcess service = JarProcess.start(
                "ps-service",
                folder.resolve("ps-service.log"),
                Map.of(
                        "SERVER_PORT",
                        Integer.toString(server.getPort()),
                        "PS_SECURITY_KEYS_READER_ACCESSKEY",
                        "reader",
                        "PS_SECURITY_KEYS_READER_SECRETKEY",
                        SECRET));
        try {
            await().atMost(TIMEOUT).until(() -> Files.exists(token) && Files.size(token) > 0);

            assertThat(metrics(server, Files.readString(token).strip()).body()).contains("ps_workers_active 0.0");
            assertThat(metrics(server, "no-token").statusCode()).isEqualTo(401);
            assertThat(prometheus.isAlive()).isTrue();
        } finally {
            service.kill();
            prometheus.descendants().forEach(ProcessHandle::destroyForcibly);
            prometheus.destroyForcibly();
        }
    }

    /** Starts the script before the server, as Compose may. */
    private static Process start(URI server, Path token) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                RepositoryRoot.path().resolve("docker/monitoring/start").toString(), "sleep", "600");
        builder.environment()
                .putAll(Map.of("SERVER", server.toString(), "READER_KEY", SECRET, "TOKEN_FILE", token.toString()));
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private HttpResponse<String> metrics(URI server, String token) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(server.resolve("/actuator/prometheus"))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}

package org.fleetgrad.e2e;

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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Standalone workers that answer while they train, and the ensemble that asks all of them. */
@Tag("whole")
class EnsembleIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int REQUESTS = 100;
    private static final String IMAGE = "{\"image\":%s}".formatted(Collections.nCopies(28 * 28, 7));

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<JarProcess> programs = new ArrayList<>();
    private URI address = URI.create("http://127.0.0.1");
    private URI ensemble = address;
    private PsClient reader;

    @BeforeEach
    void prepare() throws IOException {
        address = URI.create("http://127.0.0.1:" + FreePorts.next());
        ensemble = URI.create("http://127.0.0.1:%d/predict".formatted(FreePorts.next()));
        reader = new PsClient(address, ClientOptions.DEFAULT);
        ShardSet.write(
                folder.resolve("shards"),
                "digits",
                SyntheticDigits.generate(3000, 1),
                SyntheticDigits.generate(300, 2),
                6);
    }

    @AfterEach
    void endPrograms() throws InterruptedException {
        for (JarProcess program : programs) {
            program.kill();
        }
    }

    private JarProcess start(String module, String name, List<String> arguments, Map<String, String> settings)
            throws IOException {
        JarProcess program = JarProcess.start(module, arguments, folder.resolve(name + ".log"), settings);
        programs.add(program);
        return program;
    }

    private JarProcess worker(String name) throws IOException {
        return start(
                "worker-action",
                name,
                List.of(
                        "run",
                        "--serve",
                        "0",
                        "{\"apihost\":\"%s\",\"worker\":\"%s\",\"update_intv\":1}".formatted(address, name)),
                Map.of());
    }

    private JsonNode predicted() throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(ensemble)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(IMAGE))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    private static Set<String> names(JsonNode members) {
        Set<String> names = new TreeSet<>();
        members.forEach(member -> names.add(member.get("worker").asString()));
        return names;
    }

    @Test
    void shouldAnswerWithoutAWorkerThatDiedAndWithoutTheServer() throws Exception {
        JarProcess server = start(
                "ps-service",
                "ps-service",
                List.of(),
                Map.of("SERVER_PORT", Integer.toString(address.getPort()), "PS_LEARNINGRATE", "0.01"));
        Map<String, JarProcess> workers = new TreeMap<>();
        for (String name : List.of("a", "b", "c")) {
            workers.put(name, worker(name));
        }
        start(
                "dataset-tools",
                "dataset-tools",
                List.of(
                        "put-work",
                        folder.resolve("shards").toString(),
                        "--server",
                        address.toString(),
                        "--epochs",
                        "0"),
                Map.of());
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> addresses().size() == 3);
        start(
                "fleetgrad-cli",
                "ensemble",
                List.of(
                        "ensemble",
                        "--server",
                        address.toString(),
                        "--port",
                        Integer.toString(ensemble.getPort()),
                        "--timeout",
                        "60s"),
                Map.of());
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> names(predicted().get("members")).equals(Set.of("a", "b", "c")));

        Objects.requireNonNull(workers.get("b")).kill();

        for (int i = 0; i < REQUESTS; i++) {
            JsonNode answer = predicted();
            assertThat(names(answer.get("members"))).isEqualTo(Set.of("a", "c"));
            assertThat(names(answer.get("leftOut"))).isEqualTo(Set.of("b"));
        }
        server.kill();
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(names(predicted().get("members"))).isEqualTo(Set.of("a", "c"));
        }
        assertThat(Files.readString(folder.resolve("a.log"))).contains("answers predictions at http://127.0.0.1:");
    }

    private Set<String> addresses() throws IOException {
        Set<String> addresses = new TreeSet<>();
        for (StatusReply.Worker worker : reader.status().workers()) {
            if (worker.address() != null) {
                addresses.add(worker.address());
            }
        }
        return addresses;
    }
}

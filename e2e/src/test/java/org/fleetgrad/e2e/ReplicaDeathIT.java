package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two replicas on one port, under load while versions come: one is killed, and then the parameter server. */
@Tag("whole")
class ReplicaDeathIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int CLIENTS_OF_EACH = 3;
    private static final int ANSWERS = 100;
    private static final int PUSHES = 50;

    @TempDir
    private Path folder;

    private final List<JarProcess> programs = new ArrayList<>();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final URI server = URI.create("http://127.0.0.1:" + FreePorts.next());
    private final URI inference = URI.create("http://127.0.0.1:" + FreePorts.next());

    @AfterEach
    void endPrograms() throws InterruptedException {
        for (JarProcess program : programs) {
            program.kill();
        }
    }

    private JarProcess start(String module, String name, Map<String, String> settings) throws IOException {
        JarProcess program = JarProcess.start(module, folder.resolve(name + ".log"), settings);
        programs.add(program);
        return program;
    }

    private JarProcess replica(String name) throws IOException {
        return start(
                "inference-api",
                name,
                Map.of(
                        "SERVER_PORT",
                        Integer.toString(inference.getPort()),
                        "INFERENCE_SERVER",
                        server.toString(),
                        "INFERENCE_REUSEPORT",
                        "true",
                        "INFERENCE_FOLLOWINTERVAL",
                        "0ms",
                        "INFERENCE_BATCH_IMAGES",
                        "1"));
    }

    /** When a replica began, in milliseconds since 1970. It is not known more exactly than its answer was quick. */
    private record Begin(long earliest, long latest) {}

    /** Asks the replica that has the client's connection; empty if it does not serve. */
    private static Optional<Begin> begin(AskingClient client) throws IOException, InterruptedException {
        long asked = System.currentTimeMillis();
        JsonNode status = client.status();
        long uptime = status.get("uptimeMs").asLong();
        return status.get("state").asString().equals("serving")
                ? Optional.of(new Begin(asked - uptime, System.currentTimeMillis() - uptime))
                : Optional.empty();
    }

    @Test
    void shouldFailOnlyWhatWasInFlightAtTheReplicaThatDied() throws Exception {
        JarProcess parameters = start(
                "ps-service",
                "ps-service",
                Map.of("SERVER_PORT", Integer.toString(server.getPort()), "PS_LEARNINGRATE", "1"));
        ExecutorService threads = Executors.newCachedThreadPool();
        try (PushedModel model = new PushedModel(new PsClient(server, ClientOptions.DEFAULT.withRetryFor(TIMEOUT)))) {
            JarProcess first = replica("first");
            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .until(() -> begin(new AskingClient(inference, 0)).isPresent());
            long between = System.currentTimeMillis();
            replica("second");
            List<AskingClient> ofFirst = new ArrayList<>();
            List<AskingClient> ofSecond = new ArrayList<>();
            // The kernel decides which replica gets a connection.
            await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
                AskingClient client = new AskingClient(inference, ofFirst.size() + ofSecond.size());
                Begin begin = begin(client).orElseThrow();
                List<AskingClient> group = begin.latest() < between ? ofFirst : ofSecond;
                boolean isKnown = begin.latest() < between || begin.earliest() > between;
                if (isKnown && group.size() < CLIENTS_OF_EACH) {
                    group.add(client);
                }
                return ofFirst.size() + ofSecond.size() == 2 * CLIENTS_OF_EACH;
            });
            List<AskingClient> clients = new ArrayList<>(ofFirst);
            clients.addAll(ofSecond);
            List<Future<?>> asking = new ArrayList<>();
            for (AskingClient client : clients) {
                asking.add(threads.submit(() -> {
                    while (!isOver.get()) {
                        client.ask();
                    }
                    return null;
                }));
            }
            awaitMoreAnswers(clients, model);
            assertThat(clients)
                    .allSatisfy(client -> assertThat(client.failures()).isEmpty());

            first.kill();
            awaitMoreAnswers(clients, model);

            // The request in flight, and at most one more: the kernel closes a dead program's sockets one after the
            // other, so
            // the next connection may still reach the listener of the replica that died.
            assertThat(ofFirst)
                    .allSatisfy(client -> assertThat(client.failures()).hasSizeLessThanOrEqualTo(2));
            assertThat(ofSecond)
                    .allSatisfy(client -> assertThat(client.failures()).isEmpty());
            long failed = failures(clients);

            parameters.kill();
            awaitAnswers(clients);

            assertThat(failures(clients))
                    .as("failures after the parameter server died")
                    .isEqualTo(failed);
            isOver.set(true);
            for (Future<?> each : asking) {
                each.get();
            }
            assertThat(clients).allSatisfy(client -> client.assertAnswers(model));
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }
    }

    private static long failures(List<AskingClient> clients) {
        return clients.stream().mapToLong(client -> client.failures().size()).sum();
    }

    /** Makes versions, and waits until each client was answered some more times. */
    private static void awaitMoreAnswers(List<AskingClient> clients, PushedModel model) throws IOException {
        for (int push = 0; push < PUSHES; push++) {
            model.push();
        }
        awaitAnswers(clients);
    }

    private static void awaitAnswers(List<AskingClient> clients) {
        List<Long> before = clients.stream().map(AskingClient::answered).toList();
        for (int i = 0; i < clients.size(); i++) {
            AskingClient client = clients.get(i);
            long enough = before.get(i) + ANSWERS;
            await().atMost(TIMEOUT).until(() -> client.answered() >= enough);
        }
    }
}

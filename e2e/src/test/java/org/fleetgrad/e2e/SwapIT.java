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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thousand swaps of a real inference API under load: what it answers, to the bit. */
@Tag("whole")
class SwapIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int SWAPS = 1000;
    private static final int CLIENTS = 4;

    @TempDir
    private Path folder;

    private final List<JarProcess> programs = new ArrayList<>();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @AfterEach
    void endPrograms() throws InterruptedException {
        for (JarProcess program : programs) {
            program.kill();
        }
    }

    private PsClient startPrograms(URI inference) throws IOException {
        URI server = URI.create("http://127.0.0.1:" + FreePorts.next());
        programs.add(JarProcess.start(
                "ps-service",
                folder.resolve("ps-service.log"),
                Map.of("SERVER_PORT", Integer.toString(server.getPort()), "PS_LEARNINGRATE", "1")));
        programs.add(JarProcess.start(
                "inference-api",
                folder.resolve("inference-api.log"),
                Map.of(
                        "SERVER_PORT",
                        Integer.toString(inference.getPort()),
                        "INFERENCE_SERVER",
                        server.toString(),
                        "INFERENCE_FOLLOWINTERVAL",
                        "0ms",
                        "INFERENCE_BATCH_IMAGES",
                        "1")));
        return new PsClient(server, ClientOptions.DEFAULT.withRetryFor(TIMEOUT));
    }

    @Test
    void shouldAnswerEveryRequestWithTheBitsOfTheVersionThatItNames() throws Exception {
        URI inference = URI.create("http://127.0.0.1:" + FreePorts.next());
        List<AskingClient> clients = IntStream.range(0, CLIENTS)
                .mapToObj(number -> new AskingClient(inference, number))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (PushedModel model = new PushedModel(startPrograms(inference))) {
            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .until(() -> clients.get(0).status().get("state").asString().equals("serving"));
            List<Future<?>> asking = new ArrayList<>();
            for (AskingClient client : clients.subList(1, CLIENTS)) {
                asking.add(threads.submit(() -> {
                    while (!isOver.get()) {
                        client.ask();
                    }
                    return null;
                }));
            }
            AskingClient own = clients.get(0);
            for (int swap = 0; swap < SWAPS; swap++) {
                ParameterVersion version = model.push();
                long end = System.nanoTime() + TIMEOUT.toNanos();
                // No swap goes by without an answer.
                while (!own.hasSeen(version)) {
                    own.ask();
                    assertThat(own.failures()).isEmpty();
                    assertThat(System.nanoTime()).as("waiting for %s", version).isLessThan(end);
                }
            }
            isOver.set(true);
            for (Future<?> each : asking) {
                each.get();
            }

            assertThat(clients).allSatisfy(client -> {
                assertThat(client.failures()).isEmpty();
                assertThat(client.answered()).isGreaterThan(SWAPS / 10);
                client.assertAnswers(model);
            });
            assertThat(model.versions())
                    .as("versions that can be told apart by their answers")
                    .isEqualTo(SWAPS + 1);
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }
    }
}

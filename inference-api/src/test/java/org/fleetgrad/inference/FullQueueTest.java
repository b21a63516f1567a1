package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** More clients than fit the queue: each is answered, or told to retry, as in the contract. */
class FullQueueTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CLIENTS = 12;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final ConcurrentLinkedQueue<HttpResponse<byte[]>> refused = new ConcurrentLinkedQueue<>();

    @Test
    void shouldAnswerThatTheQueueIsFullAndWhenToComeAgain() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (FakeParameterServer server = new FakeParameterServer(0);
                RunningService service = RunningService.start(
                        "inference.server=" + server.uri(),
                        "inference.batch.images=1",
                        "inference.batch.queue-images=1")) {
            ParameterVersion version = new ParameterVersion("g", 1);
            server.publish(version, LeNet.set(version, Map.of()));
            LiveModel model = service.context().getBean(LiveModel.class);
            await().atMost(PATIENCE).until(() -> model.version().isPresent());
            // Each takes long enough that others arrive meanwhile.
            String images = String.join(",", Collections.nCopies(64, LeNet.json(LeNet.image(1))));
            HttpRequest request = service.postJson("/predict", "{\"images\":[%s]}".formatted(images));
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> ask(request)));
            }

            await().atMost(PATIENCE).until(() -> !refused.isEmpty());
            isOver.set(true);

            int answered = 0;
            for (Future<Integer> client : clients) {
                answered += client.get();
            }
            assertThat(answered).as("one is computed while others are refused").isPositive();
            for (HttpResponse<byte[]> response : refused) {
                assertThat(response.statusCode()).isEqualTo(503);
                assertThat(response.headers().firstValue("Retry-After")).contains("1");
                JsonNode problem = JsonMapper.shared().readTree(response.body());
                assertThat(problem.get("type").asString()).isEqualTo("urn:fleetgrad:problem:busy");
                assertThat(problem.get("detail").asString())
                        .startsWith("64 images of ")
                        .contains("at most 1 images");
            }
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }
    }

    /** Sends requests until it is over, at least once; returns how often it was answered with classes. */
    private int ask(HttpRequest request) {
        int answered = 0;
        do {
            HttpResponse<byte[]> response = CONTRACT.send(request);
            if (response.statusCode() == 200) {
                answered++;
            } else {
                refused.add(response);
            }
        } while (!isOver.get());
        return answered;
    }
}

package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.completion.Completions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Clients that ask for completions, follow versions and leave, while versions arrive as fast as they load. */
@Tag("kernels")
class CompletionsUnderLoadTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int REQUESTS = 40;
    private static final int TOKENS = 24;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void shouldAnswerEachWithOneVersionAlone() throws Exception {
        ExecutorService clients = Executors.newCachedThreadPool();
        try (FakeParameterServer server = new FakeParameterServer(0);
                RunningService service = RunningService.start(
                        "inference.server=" + server.uri(),
                        "inference.follow-interval=0ms",
                        "inference.held-versions=2")) {
            LiveModel model = service.context().getBean(LiveModel.class);
            publish(server, 0);
            await().atMost(PATIENCE).until(() -> model.version().isPresent());
            List<Future<List<JsonNode>>> answers = new ArrayList<>();
            for (int client = 0; client < 3; client++) {
                answers.add(clients.submit(() -> ask(service)));
            }
            Callable<Object> leaving = () -> leave(service);
            Future<Object> left = clients.submit(leaving);
            long number = 1;
            while (!left.isDone() || answers.stream().anyMatch(answer -> !answer.isDone())) {
                publish(server, number++);
                TimeUnit.MILLISECONDS.sleep(2);
            }

            Map<Long, String> texts = new TreeMap<>();
            for (Future<List<JsonNode>> answer : answers) {
                for (JsonNode reply : answer.get()) {
                    long version = reply.get("version").asLong();
                    assertThat(reply.get("choices").get(0).get("text").asString())
                            .isEqualTo(texts.computeIfAbsent(version, CompletionsUnderLoadTest::byHand));
                }
            }
            left.get();
            assertThat(texts).hasSizeGreaterThan(10);
            Completions completions = service.context().getBean(Completions.class);
            await().atMost(PATIENCE).until(() -> completions.running() == 0);
            assertThat(completions.bytes()).isZero();
        } finally {
            clients.shutdownNow();
        }
    }

    private static String byHand(long version) {
        return TinyGpt2.continued(new ParameterVersion("g", version), "ROMEO:", TOKENS, Sampling.GREEDY, 0);
    }

    private static void publish(FakeParameterServer server, long number) {
        ParameterVersion version = new ParameterVersion("g", number);
        server.publish(version, TinyGpt2.set(version));
    }

    private List<JsonNode> ask(RunningService service) throws IOException, InterruptedException {
        List<JsonNode> replies = new ArrayList<>();
        String body = "{\"prompt\":\"ROMEO:\",\"max_tokens\":%d,\"temperature\":0}".formatted(TOKENS);
        for (int request = 0; request < REQUESTS; request++) {
            String reply = http.send(service.postJson("/v1/completions", body), BodyHandlers.ofString())
                    .body();
            replies.add(JSON.readTree(reply));
        }
        return replies;
    }

    /** Begins live streams, and leaves each after its first bytes. */
    private Object leave(RunningService service) throws IOException, InterruptedException {
        String body = "{\"prompt\":\"a\",\"max_tokens\":1000,\"stream\":true,\"version\":\"live\"}";
        for (int request = 0; request < REQUESTS; request++) {
            try (InputStream stream = http.send(service.postJson("/v1/completions", body), BodyHandlers.ofInputStream())
                    .body()) {
                assertThat(stream.readNBytes(100)).hasSize(100);
            }
        }
        return "left";
    }
}

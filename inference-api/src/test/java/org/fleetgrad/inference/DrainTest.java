package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.junit.jupiter.api.Test;

/** Shutdown of the service under load, over connections that stay open. */
class DrainTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CLIENTS = 4;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final AtomicLong answered = new AtomicLong();
    private final Set<Integer> statuses = new ConcurrentSkipListSet<>();

    @Test
    void shouldAnswerEveryRequestThatItTookWhenItEnds() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (FakeParameterServer server = new FakeParameterServer(0)) {
            RunningService service = RunningService.start("inference.server=" + server.uri());
            ParameterVersion version = new ParameterVersion("g", 1);
            server.publish(version, LeNet.set(version, Map.of()));
            LiveModel model = service.context().getBean(LiveModel.class);
            await().atMost(PATIENCE).until(() -> model.version().isPresent());
            Predictor predictor = service.context().getBean(Predictor.class);
            HttpRequest request = service.postJson("/predict", "{\"image\":%s}".formatted(LeNet.json(LeNet.image(1))));
            for (int i = 0; i < CLIENTS; i++) {
                clients.execute(() -> ask(request));
            }
            await().atMost(PATIENCE).until(() -> answered.get() > 100);

            service.close();

            clients.shutdown();
            assertThat(clients.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            assertThat(answered).as("none computed and then lost").hasValue(predictor.images());
            assertThat(new TreeSet<>(Set.of(OK, UNAVAILABLE))).containsAll(statuses);
        } finally {
            clients.shutdownNow();
        }
    }

    /** Sends requests until the service is gone. */
    private void ask(HttpRequest request) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try {
            while (true) {
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                statuses.add(response.statusCode());
                if (response.statusCode() == OK) {
                    answered.incrementAndGet();
                }
            }
        } catch (IOException gone) {
            // The end: the service closed the connection, or no longer listens.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package org.fleetgrad.inference.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RouteTable;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.access.rate.Rates.RateLimits;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.inference.feedback.Feedback;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.inference.shadow.Shadow;
import org.fleetgrad.inference.shadow.ShadowBudget;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.FakeClassifier;
import org.fleetgrad.serving.FakeClassifiers;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.batching.BatchLimits;
import org.fleetgrad.serving.batching.Batcher;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Which requests take the fast path, and which the slow path, with their bodies from the beginning. */
class PredictFastPathTest {

    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String IMAGE = "{\"image\":[1,2]}";
    private static final int MOST_BYTES = 200;

    private final LiveModel model = new LiveModel(
            new FakeClassifiers(new ImageShape(1, 1, 2)),
            network -> new ModelDescription(new Normalization(List.of(0f), List.of(1f)), List.of()),
            10 * FakeClassifiers.IMAGE_BYTES);
    private final Batcher batcher = new Batcher(model::predict, new BatchLimits(8, Duration.ZERO, 100, 10_000));
    private final Predictor predictor = new Predictor(
            model,
            batcher,
            new SampleMemory(1 << 20),
            new HeldOutScores(),
            new Feedback(1 << 10, new byte[Feedback.KEY_BYTES]),
            new Shadow(
                    new ShadowBudget(0),
                    new Shadow.Model(model::versions, model::predict, batcher::queuedImages),
                    Runnable::run,
                    System::nanoTime,
                    () -> 0.5));
    private final Timer requests = new SimpleMeterRegistry().timer("requests");
    private final SlowPath slowPath = new SlowPath();
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    /** Echoes the body that it received. */
    private static final class SlowPath extends Handler.Abstract {

        private final CountDownLatch entered = new CountDownLatch(1);

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            entered.countDown();
            String body = Content.Source.asString(request, StandardCharsets.UTF_8);
            Content.Sink.write(response, true, "the slow path: " + body, callback);
            return true;
        }
    }

    @BeforeEach
    void start() throws Exception {
        model.swapTo(version(), FakeClassifier.parameters(version(), Map.of()));
        server.addConnector(connector);
        server.setHandler(new PredictFastPath(
                slowPath,
                new Guard(RouteTable.builder().build(), Optional.empty(), new Rates(RateLimits.NONE, System::nanoTime)),
                predictor,
                4,
                JsonMapper.shared(),
                MOST_BYTES,
                new PredictFastPath.Times(new SimpleMeterRegistry().timer("prediction"), requests)));
        server.start();
    }

    private static ParameterVersion version() {
        return new ParameterVersion("g", 7);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        batcher.close();
        model.close();
    }

    @Test
    void shouldAnswerAPlainRequestItself() throws Exception {
        String answer = connector.getResponse(request("POST", "/predict", JSON, IMAGE));

        assertThat(answer)
                .startsWith("HTTP/1.1 200 OK")
                .contains("Content-Type: application/json\r\n")
                .contains("Content-Length: ")
                .contains("\"version\":7")
                .contains("\"generation\":\"g\"")
                .contains("\"class\":3");
        assertThat(predictor.images()).isEqualTo(1);
        assertThat(requests.count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Content-Type: image/png\r\n",
                "Content-Type: application/json; charset=utf-8\r\n",
                JSON + "Accept: text/html\r\n",
                JSON + "Origin: http://elsewhere\r\n"
            })
    void shouldSendRequestsWithOtherHeadersTheLongWay(String headers) throws Exception {
        assertThat(connector.getResponse(request("POST", "/predict", headers, IMAGE)))
                .endsWith("the slow path: " + IMAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/predict?version=7", "/predict;a=b", "/predict/", "/", "/v2/models/fleetgrad/infer"})
    void shouldSendOtherPathsTheLongWay(String path) throws Exception {
        assertThat(connector.getResponse(request("POST", path, JSON, IMAGE))).endsWith("the slow path: " + IMAGE);
    }

    @Test
    void shouldSendOtherMethodsTheLongWay() throws Exception {
        assertThat(connector.getResponse(request("PUT", "/predict", JSON, IMAGE)))
                .endsWith("the slow path: " + IMAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"image\":[1]}",
                "{\"image\":[1,256]}",
                "[]",
                "{\"images\":[[1,2],[1,2],[1,2],[1,2],[1,2]]}"
            })
    void shouldSendWrongImagesTheLongWayWithTheirWholeBody(String body) throws Exception {
        assertThat(connector.getResponse(request("POST", "/predict", JSON, body)))
                .endsWith("the slow path: " + body);
        assertThat(predictor.images()).isZero();
    }

    @Test
    void shouldSendABodyOfMoreBytesThanAreAllowedTheLongWay() throws Exception {
        String body = IMAGE + " ".repeat(MOST_BYTES);

        assertThat(connector.getResponse(request("POST", "/predict", JSON, body)))
                .endsWith("the slow path: " + body);
    }

    @Test
    void shouldSendABodyThatHasNotArrivedTheLongWayFromItsBeginning() throws Exception {
        String request = request("POST", "/predict", JSON, IMAGE);
        LocalConnector.LocalEndPoint client = connector.connect();
        // This connector handles a request in the thread that brings its input.
        CompletableFuture<Void> first =
                CompletableFuture.runAsync(() -> client.addInput(request.substring(0, request.length() - 4)));
        slowPath.entered.await();

        client.addInput(request.substring(request.length() - 4));

        assertThat(client.getResponse()).endsWith("the slow path: " + IMAGE);
        first.get();
    }

    @Test
    void shouldSendRequestsTheLongWayWhenTheBatcherIsClosed() throws Exception {
        batcher.close();

        assertThat(connector.getResponse(request("POST", "/predict", JSON, IMAGE)))
                .endsWith("the slow path: " + IMAGE);
    }

    @Test
    void shouldSendRequestsTheLongWayBeforeThereIsAVersion() throws Exception {
        model.close();

        assertThat(connector.getResponse(request("POST", "/predict", JSON, IMAGE)))
                .endsWith("the slow path: " + IMAGE);
    }

    private static String request(String method, String path, String headers, String body) {
        return "%s %s HTTP/1.1\r\nHost: here\r\n%sContent-Length: %d\r\n\r\n%s"
                .formatted(method, path, headers, body.length(), body);
    }
}

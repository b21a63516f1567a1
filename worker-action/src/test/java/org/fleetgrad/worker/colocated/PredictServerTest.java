package org.fleetgrad.worker.colocated;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.http.server.Reply;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.worker.colocated.ServeSettings.ServeMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The HTTP server of a worker that answers predictions. */
class PredictServerTest {

    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");

    private Colocated colocated;
    private Network network;
    private Requests requests;

    @BeforeEach
    void open() throws Exception {
        serve("interleaved");
    }

    private void serve(String mode) throws Exception {
        colocated = Colocated.open(Map.of(ServeSettings.PORT, "0", ServeSettings.MODE, mode), System.err)
                .orElseThrow();
        network = colocated.serving(Libtorch.open(LENET5, Device.CPU));
        requests = new Requests(colocated.address());
    }

    @AfterEach
    void close() {
        requests.close();
        network.close();
        colocated.close();
    }

    private static TensorSet version(long number, long seed) {
        Map<String, String> metadata = new TreeMap<>(LENET5.spec().metadata());
        metadata.put(ParameterVersion.GENERATION_KEY, "g");
        metadata.put(ParameterVersion.VERSION_KEY, Long.toString(number));
        metadata.put("classes", "[\"zero\",\"one\",\"two\"]");
        metadata.put("normalization", "{\"mean\":[0.1307],\"std\":[0.3081]}");
        return TensorSet.ofFloats(LENET5.spec().layout(), LENET5.initialParameters(seed), metadata);
    }

    private JsonNode json(HttpResponse<String> response) {
        return JsonMapper.shared().readTree(response.body());
    }

    @Test
    void shouldSayThatThereIsNoModelBeforeTheFirstLoad() throws Exception {
        HttpResponse<String> response = requests.send("POST", "/predict", "{\"image\":[0]}");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
        assertThat(json(response).get("type").asString()).isEqualTo("urn:fleetgrad:problem:no-parameters");
        JsonNode status = json(requests.send("GET", "/status", ""));
        assertThat(status.get("state").asString()).isEqualTo("waiting");
        assertThat(status.get("detail").asString()).isEqualTo("no parameters were loaded yet");
        assertThat(status.has("version")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"interleaved", "thread", "live"})
    void shouldAnswerWithTheMembersOfTheInferenceApi(String mode) throws Exception {
        close();
        serve(mode);
        network.load(version(7, 1));

        JsonNode body = json(requests.send("POST", "/predict", Requests.body(3)));

        assertThat(body.get("code").asInt()).isEqualTo(200);
        assertThat(body.get("version").asLong()).isEqualTo(7);
        assertThat(body.get("generation").asString()).isEqualTo("g");
        assertThat(body.get("mode").asString()).isEqualTo(mode);
        assertThat(body.get("network").asString()).isEqualTo("lenet5?classes=10&input=1x28x28");
        assertThat(body.has("untilVersion")).isEqualTo(mode.equals("live"));
        JsonNode image = body.get("predictions").get(0);
        assertThat(image.get("probabilities").size()).isEqualTo(10);
        assertThat(image.get("label").asString())
                .isIn("zero", "one", "two", "output " + image.get("class").asInt());
        JsonNode status = json(requests.send("GET", "/status", ""));
        assertThat(status.get("state").asString()).isEqualTo("serving");
        assertThat(status.get("version").asLong()).isEqualTo(7);
        assertThat(status.get("predictions").asLong()).isEqualTo(1);
    }

    /** Equal versions answer equally in each mode. */
    @Test
    void shouldAnswerEquallyInEachMode() throws Exception {
        List<JsonNode> answers = new ArrayList<>();
        for (String mode : List.of("interleaved", "thread", "live")) {
            close();
            serve(mode);
            network.load(version(1, 4));
            network.load(version(2, 5));
            answers.add(requests.predict(2).body().get("predictions"));
        }
        assertThat(answers.get(1)).isEqualTo(answers.get(0));
        assertThat(answers.get(2)).isEqualTo(answers.get(0));
    }

    @Test
    void shouldKeepConnections() throws Exception {
        network.load(version(1, 1));
        for (int i = 0; i < 2_000; i++) {
            assertThat(requests.predict(i % 8).status()).isEqualTo(200);
        }
        assertThat(json(requests.send("GET", "/status", "")).get("predictions").asLong())
                .isEqualTo(2_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "POST|/predict|nonsense|400|malformed",
                "POST|/predict|{\"image\":[1,2]}|400|malformed",
                "POST|/predict|{\"image\":[256]}|400|malformed",
                "GET|/predict||405|method-not-allowed",
                "POST|/status|{}|405|method-not-allowed",
                "POST|/issueToken|{}|409|security-off",
                "GET|/issueToken||405|method-not-allowed",
                "POST|/run|{}|404|not-found"
            })
    void shouldRefuseWhatIsNoRequest(String method, String path, String body, int status, String rule)
            throws Exception {
        network.load(version(1, 1));

        HttpResponse<String> response = requests.send(method, path, body == null ? "" : body);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(json(response).get("type").asString()).isEqualTo("urn:fleetgrad:problem:" + rule);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @Test
    void shouldRefuseABodyThatIsTooLarge() throws Exception {
        network.load(version(1, 1));

        HttpResponse<String> response = requests.send("POST", "/predict", " ".repeat((1 << 20) + 1));

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(json(response).get("detail").asString())
                .isEqualTo("the body has more bytes than the limit of 1048576");
    }

    /** While the training computes a batch, nothing is answered; 64 requests wait, and the 65th is told to retry. */
    @Test
    void shouldLetRequestsWaitForTheBatchAndRefuseTooMany() throws Exception {
        network.load(version(1, 1));
        TrainedTensorsPredictor predictor = new TrainedTensorsPredictor(true);
        Network trained = new ColocatedNetwork(Libtorch.open(LENET5, Device.CPU), predictor);
        trained.load(version(1, 1));
        Predictions predictions =
                new Predictions(predictor, ServeMode.INTERLEAVED, 1, new HeldOutScores(), Clock.systemUTC());
        CountDownLatch hasBegun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        byte[] body = "{\"image\":%s}".formatted(Requests.pixels(0)).getBytes(StandardCharsets.UTF_8);
        try {
            Future<Boolean> batch = threads.submit(() -> predictor.compute(() -> {
                hasBegun.countDown();
                return awaited(mayEnd);
            }));
            hasBegun.await();
            List<Future<Reply>> replies = new ArrayList<>();
            for (int i = 0; i <= Predictions.MOST_OUTSTANDING; i++) {
                replies.add(threads.submit(() -> predictions.predict(body)));
            }
            Reply refused = firstOf(replies);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers()).containsEntry("Retry-After", "1");
            assertThat(replies.stream().filter(Future::isDone)).hasSize(1);

            mayEnd.countDown();
            assertThat(batch.get()).isTrue();
            int answered = 0;
            for (Future<Reply> reply : replies) {
                answered += reply.get(60, TimeUnit.SECONDS).status() == 200 ? 1 : 0;
            }
            assertThat(answered).isEqualTo(Predictions.MOST_OUTSTANDING);
        } finally {
            mayEnd.countDown();
            threads.shutdown();
            trained.close();
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Reply firstOf(List<Future<Reply>> replies) throws Exception {
        Optional<Future<Reply>> done = Optional.empty();
        while (done.isEmpty()) {
            Thread.onSpinWait();
            done = replies.stream().filter(Future::isDone).findFirst();
        }
        return done.get().get();
    }

    @Test
    void shouldStopToAnswerWithANetworkThatIsClosed() throws Exception {
        network.load(version(1, 1));
        assertThat(requests.predict(0).status()).isEqualTo(200);

        network.close();

        assertThat(requests.predict(0).status()).isEqualTo(503);
        network = colocated.serving(Libtorch.open(LENET5, Device.CPU));
        network.load(version(2, 1));
        assertThat(requests.predict(0).body().get("version").asLong()).isEqualTo(2);
    }

    @Test
    void shouldTrainOnButAnswerNothingIfTheSetNamesNoNetwork() throws Exception {
        network.load(TensorSet.ofFloats(
                LENET5.spec().layout(),
                LENET5.initialParameters(1),
                Map.of(ParameterVersion.GENERATION_KEY, "g", ParameterVersion.VERSION_KEY, "1")));

        assertThat(network.accumulate(new float[784], new float[1], 1)).isFinite();
        JsonNode problem = json(requests.send("POST", "/predict", "{\"image\":[0]}"));
        assertThat(problem.get("detail").asString())
                .startsWith("there is no model yet: the parameters cannot be served: its metadata has no 'network'");
    }

    @Test
    void shouldListenWhereItSays() {
        assertThat(colocated.address()).isEqualTo(URI.create("http://127.0.0.1:" + colocated.port()));
    }
}

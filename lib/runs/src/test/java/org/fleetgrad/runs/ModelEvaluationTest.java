package org.fleetgrad.runs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.protocol.messages.NumberPairs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a run's report asks the inference API for, which may be of another build, slow, or gone. */
class ModelEvaluationTest {

    private static final ParameterVersion MODEL = new ParameterVersion("g", 7);
    private static final String EVALUATION = """
            {"code":200,"evaluation":{"generation":"g","version":7,"loss":0.5,"samples":2,"durationMs":3,"later":1,
            "details":{"numbers":{"target":"price","truth":[1,2],"predicted":[1.5,2.5]}}}}
            """;

    private final CountDownLatch end = new CountDownLatch(1);
    private final List<String> told = new ArrayList<>();
    private HttpServer server;

    @FunctionalInterface
    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "answer");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
    }

    @AfterEach
    void close() {
        end.countDown();
        server.stop(0);
    }

    private Optional<HeldOutEvaluation> ask(int replicas, Duration timeout, Answer answer) throws InterruptedException {
        server.createContext("/evaluation", answer::to);
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return ModelEvaluation.of(address, Optional.empty(), MODEL, replicas, timeout, told::add);
    }

    private static Answer answer(int status, String body) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    private Optional<HeldOutEvaluation> ask(String body) throws InterruptedException {
        return ask(1, Duration.ofSeconds(60), answer(200, body));
    }

    @Test
    void shouldReadTheEvaluationAndIgnoreWhatItDoesNotKnow() throws Exception {
        assertThat(ask(EVALUATION))
                .contains(new HeldOutEvaluation(
                        "g",
                        7,
                        null,
                        null,
                        0.5,
                        null,
                        null,
                        null,
                        null,
                        2,
                        3,
                        new EvaluationDetails(
                                null, null, new NumberPairs("price", List.of(1.0, 2.0), List.of(1.5, 2.5)), null)));
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTakeTheBestIfThatIsTheModel() throws Exception {
        assertThat(askForOneOf(version("g", 9), version("g", 7))).isEqualTo(7);
    }

    @Test
    void shouldTakeTheNewestIfThatIsTheModelOrIfNoneIs() throws Exception {
        assertThat(askForOneOf(version("g", 7), version("g", 5))).isEqualTo(7);
        server.removeContext("/evaluation");
        assertThat(askForOneOf(version("g", 9), version("before", 7)))
                .as("a version of another history")
                .isEqualTo(9);
    }

    private static String version(String generation, long version) {
        return "{\"generation\":\"%s\",\"version\":%d,\"loss\":0.5,\"samples\":2,\"durationMs\":3}"
                .formatted(generation, version);
    }

    private long askForOneOf(String newest, String best) throws InterruptedException {
        return ask("{\"code\":200,\"evaluation\":%s,\"best\":%s}".formatted(newest, best))
                .orElseThrow()
                .version();
    }

    @Test
    void shouldSayWhyThereIsNone() throws Exception {
        assertThat(ask(1, Duration.ofSeconds(60), answer(404, "none yet"))).isEmpty();
        assertThat(told)
                .containsExactly("the report does not show what the model gets right and wrong:"
                        + " /evaluation answered 404: none yet");
    }

    @Test
    void shouldTakeNoWrongAnswer() throws Exception {
        assertThat(ask(EVALUATION.replace("[1.5,2.5]", "[1.5]"))).isEmpty();
        assertThat(told)
                .singleElement()
                .asString()
                .contains("/evaluation answered no evaluation: ", "there are 2 and 1");
    }

    @Test
    void shouldTakeNoAnswerWithoutAnEvaluation() throws Exception {
        assertThat(ask("{\"code\":200}")).isEmpty();
        assertThat(told).singleElement().asString().endsWith("/evaluation answered no evaluation");
    }

    /** The head arrives at once, and the body never. */
    @Test
    void shouldNotWaitForEverForAnAnswer() throws Exception {
        Optional<HeldOutEvaluation> none = ask(1, Duration.ofMillis(300), exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().flush();
            try {
                end.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });

        assertThat(none).isEmpty();
        assertThat(told).singleElement().asString().endsWith("/evaluation did not answer completely in PT0.3S");
    }

    @Test
    void shouldSayThatNothingListens() throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        server.stop(0);

        assertThat(ModelEvaluation.of(address, Optional.empty(), MODEL, 1, Duration.ofSeconds(60), told::add))
                .isEmpty();
        assertThat(told).singleElement().asString().contains("/evaluation did not answer: ", "ConnectException");
    }

    /** Replicas share an address, and only one evaluates. */
    @Test
    void shouldRetryWhereReplicasShareTheAddress() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Optional<HeldOutEvaluation> found = ask(
                3,
                Duration.ofSeconds(60),
                exchange ->
                        (asked.incrementAndGet() < 4 ? answer(404, "not here") : answer(200, EVALUATION)).to(exchange));

        assertThat(found).isPresent();
        assertThat(asked).hasValue(4);
        assertThat(told).isEmpty();
    }
}

package org.fleetgrad.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fleetgrad.cli.run.ActivationEnd.Answered;
import org.fleetgrad.cli.run.ActivationEnd.Failed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProcessInvokerTest {

    private static final URI SERVER = URI.create("http://127.0.0.1:29500");

    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private HttpServer worker;
    private int status = 200;
    private String answer = "{}";

    @BeforeEach
    void startWorker() throws Exception {
        worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        worker.createContext("/", exchange -> {
            bodies.add(exchange.getRequestURI()
                    + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        worker.start();
    }

    @AfterEach
    void stopWorker() {
        worker.stop(0);
    }

    @Test
    void shouldSpeakTheContractOfTheOriginal() throws Exception {
        answer = "{\"code\":200,\"samples\":64}";

        invoker().init();
        assertThat(invoker().invoke()).isInstanceOfSatisfying(Answered.class, answered -> {
            assertThat(answered.answer().path("samples").asInt()).isEqualTo(64);
            assertThat(answered.isCold()).isTrue();
        });
        assertThat(bodies.get(0)).startsWith("/init {\"value\":{");
        assertThat(bodies.get(1)).startsWith("/run ");
        JsonNode value = JsonMapper.builder()
                .build()
                .readTree(bodies.get(1).substring("/run ".length()))
                .path("value");
        assertThat(value.path("batch_sz_train").asInt()).isEqualTo(16);
        assertThat(value.path("shards").asString()).isEqualTo("queue");
        assertThat(value.path("shard_n").asInt()).isEqualTo(1);
        assertThat(value.path("update_intv").asInt()).isEqualTo(4);
        assertThat(value.path("apihost").asString()).isEqualTo(SERVER.toString());
        assertThat(value.has("dataset_url")).isFalse();
        assertThat(value.path("device").asString()).isEqualTo("cpu");
        assertThat(value.path("seed").asInt()).isEqualTo(9);
    }

    @Test
    void shouldPassOnWhatTheWorkerSaysWentWrong() throws Exception {
        answer = "{\"error\":\"the shard is gone\",\"code\":404}";

        assertThat(invoker().invoke()).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.message()).isEqualTo("worker-1 failed: the shard is gone");
            assertThat(failed.isFinal()).isTrue();
        });
    }

    @Test
    void shouldTellAFailureThatAnotherTryMayNotMeet() throws Exception {
        answer = "{\"error\":\"the server is away\",\"code\":504}";

        assertThat(invoker().invoke())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.isFinal()).isFalse());
    }

    @Test
    void shouldFailOnAnAnswerThatIsNotJson() {
        status = 502;
        answer = "<html>";

        assertThatThrownBy(() -> invoker().invoke())
                .hasMessage("worker-1 answered 502 with something other than JSON: <html>");
    }

    @Test
    void shouldFailWhereTheActionIsNotInitialized() {
        status = 403;
        answer = "{\"error\":\"no\"}";

        assertThatThrownBy(() -> invoker().init()).hasMessage("worker-1 answered /init with 403: {\"error\":\"no\"}");
    }

    private ProcessInvoker invoker() {
        RunSettings settings = new RunSettings(
                Optional.empty(),
                1,
                new InvokerSettings.Local(),
                ServerSettings.DEFAULT,
                1,
                OptionalDouble.empty(),
                16,
                4,
                0.01,
                0.9,
                9,
                100,
                20,
                Optional.empty(),
                false);
        return new ProcessInvoker(
                "worker-1",
                URI.create("http://127.0.0.1:" + worker.getAddress().getPort()),
                ActivationParameters.of(settings, SERVER, Optional.empty(), 1));
    }
}

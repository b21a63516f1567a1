package org.fleetgrad.runs.invoker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.invoker.ActivationOutcome.Answered;
import org.fleetgrad.runs.invoker.ActivationOutcome.Failed;
import org.fleetgrad.runs.invoker.ActivationOutcome.Killed;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.ExampleSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.start.ProgramActivity;
import org.fleetgrad.runs.start.StartWatch;
import org.fleetgrad.runs.start.Starting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProcessInvokerTest {

    private static final ServerAddresses SERVER = ServerAddresses.parse("servers", "http://127.0.0.1:29500");

    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private HttpServer worker;
    private int status = 200;
    private String answer = "{}";
    private boolean isAlive = true;
    private int starts;
    private int looks;
    private int looksBeforeItListens;
    private int ends;

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

        ProcessInvoker invoker = invoker();
        assertThat(invoker.invoke("a-1")).isInstanceOfSatisfying(Answered.class, answered -> {
            assertThat(answered.answer().path("samples").asInt()).isEqualTo(64);
            assertThat(answered.course().isCold()).isTrue();
        });
        assertThat(invoker.invoke("a-2").course().isCold()).isFalse();
        assertThat(bodies).hasSize(3);
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
        assertThat(value.path("encoding").asString()).isEqualTo("topk:0.05");
        assertThat(value.path("pull_encoding").asString()).isEqualTo("bf16");
        assertThat(value.path("overlap").asBoolean()).isTrue();
        assertThat(value.path("apihost").asString()).isEqualTo(SERVER.toString());
        assertThat(value.has("dataset_url")).isFalse();
        assertThat(value.path("device").asString()).isEqualTo("cpu");
        assertThat(value.path("seed").asInt()).isEqualTo(9);
        assertThat(value.path("worker").asString()).isEqualTo("a-1");
    }

    @Test
    void shouldPassOnWhatTheWorkerSaysWentWrong() throws Exception {
        answer = "{\"error\":\"the shard is damaged\",\"code\":422}";

        assertThat(invoker().invoke("a-1")).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.message()).isEqualTo("worker-1 failed: the shard is damaged");
            assertThat(failed.isFinal()).isTrue();
        });
    }

    @Test
    void shouldTellAFailureThatAnotherTryMayNotMeet() throws Exception {
        answer = "{\"error\":\"the store is away\",\"code\":404}";

        assertThat(invoker().invoke("a-1"))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.isFinal()).isFalse());
    }

    @Test
    void shouldFailOnAnAnswerThatIsNotJson() throws Exception {
        ProcessInvoker invoker = invoker();
        invoker.start();
        invoker.await();
        status = 502;
        answer = "<html>";

        assertThatThrownBy(() -> invoker.invoke("a-1"))
                .hasMessage("worker-1 answered 502 with something other than JSON: <html>");
    }

    @Test
    void shouldSayHowAWorkerEndedThatNeverCameUp() throws Exception {
        status = 403;
        isAlive = false;
        ProcessInvoker invoker = invoker();
        invoker.start();

        assertThatThrownBy(invoker::await).hasMessage("worker-1 ended with code 1");
    }

    @Test
    void shouldWaitUntilTheWorkerSaysWhereItListens() throws Exception {
        looksBeforeItListens = 2;
        ProcessInvoker invoker = invoker();

        assertThat(invoker.invoke("a-1")).isInstanceOf(Answered.class);
        assertThat(looks).isEqualTo(3);
        assertThat(starts).isEqualTo(1);
    }

    @Test
    void shouldReplaceAWorkerThatDied() throws Exception {
        ProcessInvoker invoker = invoker();
        assertThat(invoker.invoke("a-1")).isInstanceOf(Answered.class);
        status = 502;
        answer = "<html>";
        isAlive = false;

        assertThat(invoker.invoke("a-2")).isInstanceOfSatisfying(Killed.class, killed -> {
            assertThat(killed.why()).isEqualTo("worker-1 ended with code 1");
            assertThat(killed.course().isCold()).isFalse();
        });
        status = 200;
        answer = "{}";
        isAlive = true;

        assertThat(invoker.invoke("a-3").course().isCold()).isTrue();
        assertThat(starts).isEqualTo(2);
    }

    @Test
    void shouldEndTheWorkerWhereItIsReleasedAndStartItAgainForTheNextActivation() throws Exception {
        ProcessInvoker invoker = invoker();
        assertThat(invoker.invoke("a-1")).isInstanceOf(Answered.class);

        invoker.release();
        assertThat(ends).isEqualTo(1);

        assertThat(invoker.invoke("a-2").course().isCold()).isTrue();
        assertThat(starts).isEqualTo(2);
    }

    /** A worker that the test runs. */
    private final class FakeHost implements ActionHost, Starting {

        @Override
        public void start() {
            starts++;
        }

        @Override
        public Optional<URI> address() {
            looks++;
            return looks > looksBeforeItListens
                    ? Optional.of(
                            URI.create("http://127.0.0.1:" + worker.getAddress().getPort()))
                    : Optional.empty();
        }

        @Override
        public Starting starting() {
            return this;
        }

        @Override
        public String name() {
            return "worker-1";
        }

        @Override
        public ProgramActivity activity() {
            return new ProgramActivity(Optional.empty(), looks);
        }

        @Override
        public String logPlace() {
            return "worker-1.log";
        }

        @Override
        public String lastLine() {
            return "";
        }

        @Override
        public boolean hasEnded(Duration patience) {
            return !isAlive;
        }

        @Override
        public String describeEnd() {
            return "worker-1 ended with code 1";
        }

        @Override
        public void end() {
            ends++;
        }
    }

    private ProcessInvoker invoker() {
        RunSettings settings = ExampleSettings.of(Optional.empty(), 1);
        return new ProcessInvoker(
                "worker-1",
                new FakeHost(),
                new StartWatch(StartWatch.USUAL_TIMEOUT, RunOutput.SILENT),
                ActivationParameters.of(settings, SERVER, Optional.empty(), 1));
    }
}

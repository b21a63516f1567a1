package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.completion.Completions;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Streams of completions, over HTTP. */
@Tag("kernels")
class CompletionStreamTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LONG = 500_000;

    private FakeParameterServer server;
    private RunningService service;
    private LiveModel model;
    private Completions completions;

    @BeforeEach
    void start() throws IOException {
        server = new FakeParameterServer(0).heldTo(CONTRACT);
        service = RunningService.start(
                "inference.server=" + server.uri(),
                "inference.follow-interval=1ms",
                "inference.held-versions=4",
                "inference.completions.running=3",
                "inference.completions.max-tokens=" + LONG);
        model = service.context().getBean(LiveModel.class);
        completions = service.context().getBean(Completions.class);
        publish(1);
    }

    @AfterEach
    void stop() {
        service.close();
        server.close();
    }

    private ParameterVersion publish(long number) {
        ParameterVersion version = new ParameterVersion("g", number);
        server.publish(version, TinyGpt2.set(version));
        await().atMost(PATIENCE).until(() -> model.versions().contains(version));
        return version;
    }

    private HttpRequest request(String more, int tokens) {
        return service.postJson(
                "/v1/completions", "{\"prompt\":\"a\",\"stream\":true,\"max_tokens\":%d%s}".formatted(tokens, more));
    }

    private Chunks open(String more, int tokens) {
        HttpResponse<InputStream> response = CONTRACT.stream(request(more, tokens));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream;charset=UTF-8");
        return new Chunks(response.body());
    }

    /** The chunks of a stream, which it reads line by line without a buffer. */
    private record Chunks(InputStream body) {

        /** Returns the next data, or an empty text at the end. */
        String next() throws IOException {
            String line = line();
            if (line.isEmpty()) {
                return "";
            }
            assertThat(line).startsWith("data: ");
            assertThat(line()).isEmpty();
            return line.substring("data: ".length());
        }

        private String line() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int next = body.read(); next >= 0 && next != '\n'; next = body.read()) {
                bytes.write(next);
            }
            return bytes.toString(StandardCharsets.UTF_8);
        }

        /** Reads to the end, which must be as documented. */
        List<JsonNode> rest() throws IOException {
            List<JsonNode> chunks = new ArrayList<>();
            for (String data = next(); !data.equals("[DONE]"); data = next()) {
                chunks.add(JSON.readTree(data));
            }
            assertThat(next()).isEmpty();
            return chunks;
        }
    }

    private static String text(List<JsonNode> chunks) {
        StringBuilder all = new StringBuilder();
        chunks.forEach(chunk -> chunk.get("choices")
                .forEach(choice -> all.append(choice.get("text").asString())));
        return all.toString();
    }

    @Test
    void shouldStreamTheSameTextAsAWholeAnswerHas() throws IOException {
        List<JsonNode> chunks = open(",\"temperature\":0.9,\"seed\":5,\"stream_options\":{\"include_usage\":true}", 200)
                .rest();

        assertThat(text(chunks))
                .isEqualTo(TinyGpt2.continued(new ParameterVersion("g", 1), "a", 200, new Sampling(0.9, 1), 5));
        JsonNode end = chunks.get(chunks.size() - 2);
        assertThat(end.get("choices").get(0).get("finish_reason").asString()).isEqualTo("length");
        JsonNode usage = chunks.get(chunks.size() - 1);
        assertThat(usage.get("choices")).isEmpty();
        assertThat(usage.get("usage").get("completion_tokens").asInt()).isEqualTo(200);
        chunks.subList(0, chunks.size() - 2)
                .forEach(chunk -> assertThat(
                                chunk.get("choices").get(0).get("finish_reason").isNull())
                        .isTrue());
        assertThat(chunks).allSatisfy(chunk -> {
            assertThat(chunk.get("version").asLong()).isEqualTo(1);
            assertThat(chunk.get("seed").asLong()).isEqualTo(5);
        });
    }

    @Test
    void shouldHoldItsVersionWhileNewerOnesArrive() throws IOException {
        Chunks chunks = open(",\"temperature\":0", 10_000);
        String first = chunks.next();
        for (int number = 2; number <= 8; number++) {
            publish(number);
        }
        assertThat(model.versions()).doesNotContain(new ParameterVersion("g", 1));

        List<JsonNode> all = chunks.rest();
        all.add(0, JSON.readTree(first));

        assertThat(all)
                .allSatisfy(chunk -> assertThat(chunk.get("version").asLong()).isEqualTo(1));
        assertThat(text(all).substring(0, 500))
                .isEqualTo(TinyGpt2.continued(new ParameterVersion("g", 1), "a", 700, Sampling.GREEDY, 0)
                        .substring(0, 500));
    }

    @Test
    void shouldFollowTheVersionsIfItIsLive() throws IOException {
        Chunks chunks = open(",\"version\":\"live\"", LONG);
        TreeSet<Long> versions = new TreeSet<>();
        for (int number = 2; number <= 4; number++) {
            publish(number);
            long newest = number;
            while (!versions.contains(newest)) {
                long version = JSON.readTree(chunks.next()).get("version").asLong();
                assertThat(version).isGreaterThanOrEqualTo(versions.isEmpty() ? 0 : versions.last());
                versions.add(version);
            }
        }
        chunks.body().close();

        assertThat(versions).contains(2L, 3L, 4L);
        await().atMost(PATIENCE).until(() -> completions.running() == 0);
    }

    @Test
    void shouldFreeEverythingWhenTheClientIsGone() throws IOException {
        Chunks chunks = open("", LONG);
        assertThat(chunks.next()).isNotEmpty();
        assertThat(completions.running()).isEqualTo(1);
        assertThat(completions.bytes()).isPositive();

        chunks.body().close();

        await().atMost(PATIENCE).until(() -> completions.running() == 0);
        assertThat(completions.bytes()).isZero();
    }

    @Test
    void shouldEndWhatTakesLongerThanTheTimeout() throws IOException {
        try (RunningService impatient = RunningService.start(
                "inference.server=" + server.uri(),
                "inference.completions.timeout=500ms",
                "inference.completions.max-tokens=" + LONG)) {
            await().atMost(PATIENCE)
                    .until(() -> impatient
                            .context()
                            .getBean(LiveModel.class)
                            .version()
                            .isPresent());
            String body = "{\"prompt\":\"a\",\"max_tokens\":%d%s}";

            HttpResponse<byte[]> whole = CONTRACT.send(impatient.postJson("/v1/completions", body.formatted(LONG, "")));
            String stream = new String(
                    CONTRACT.stream(impatient.postJson("/v1/completions", body.formatted(LONG, ",\"stream\":true")))
                            .body()
                            .readAllBytes(),
                    StandardCharsets.UTF_8);

            assertThat(whole.statusCode()).isEqualTo(503);
            assertThat(JSON.readTree(whole.body()).get("detail").asString())
                    .isEqualTo("the completion did not end within 500 ms");
            assertThat(stream).startsWith("data: ").contains("the completion did not end within 500 ms");
            Completions left = impatient.context().getBean(Completions.class);
            await().atMost(PATIENCE).until(() -> left.running() == 0);
        }
    }

    @Test
    void shouldCutOffAClientThatReadsNothing() throws IOException {
        try (RunningService impatient = RunningService.start(
                        "inference.server=" + server.uri(),
                        "server.jetty.connection-idle-timeout=1s",
                        "inference.completions.max-tokens=" + LONG);
                Socket socket = new Socket()) {
            await().atMost(PATIENCE)
                    .until(() -> impatient
                            .context()
                            .getBean(LiveModel.class)
                            .version()
                            .isPresent());
            Completions taken = impatient.context().getBean(Completions.class);
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), impatient.uri("/").getPort()));
            String body = "{\"prompt\":\"a\",\"stream\":true,\"max_tokens\":%d}".formatted(LONG);
            socket.getOutputStream()
                    .write(("POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.UTF_8));
            await().atMost(PATIENCE).until(() -> taken.running() == 1);

            await().atMost(PATIENCE).until(() -> taken.running() == 0);

            assertThat(taken.tokens()).isLessThan(LONG);
            assertThat(taken.bytes()).isZero();
        }
    }

    @Test
    void shouldAnswerThatThereIsNoRoomAndWhenToComeAgain() throws IOException {
        List<Chunks> running = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            running.add(open("", LONG));
        }
        for (String body : List.of("{\"prompt\":\"a\"}", "{\"prompt\":\"a\",\"stream\":true}")) {
            HttpResponse<byte[]> refused = CONTRACT.send(service.postJson("/v1/completions", body));

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            JsonNode problem = JSON.readTree(refused.body());
            assertThat(problem.get("type").asString()).isEqualTo("urn:fleetgrad:problem:busy");
            assertThat(problem.get("detail").asString())
                    .matches("3 completions of \\d+ bytes run, and this one takes \\d+ bytes more; "
                            + "at most 3 completions of 1073741824 bytes may run");
        }
        for (Chunks chunks : running) {
            chunks.body().close();
        }
        await().atMost(PATIENCE).until(() -> completions.running() == 0);
        assertThat(CONTRACT.send(service.postJson("/v1/completions", "{\"prompt\":\"a\"}"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldEndStreamsWhenItShutsDown() throws IOException {
        Chunks chunks = open("", LONG);
        assertThat(chunks.next()).isNotEmpty();

        service.close();

        String last = "";
        for (String data = chunks.next(); !data.isEmpty(); data = chunks.next()) {
            last = data;
        }
        JsonNode error = JSON.readTree(last).get("error");
        assertThat(error.get("message").asString()).isEqualTo("the service shuts down: ask another one, or later");
        assertThat(error.get("code").asInt()).isEqualTo(503);
    }
}

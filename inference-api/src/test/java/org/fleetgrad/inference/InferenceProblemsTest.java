package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.batching.Batcher;
import org.fleetgrad.testing.FloodOfBytes;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks every problem of the service, and its routes, against the contract. */
class InferenceProblemsTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static FakeParameterServer empty;
    private static FakeParameterServer server;
    /** Has no model. */
    private static RunningService waiting;
    /** Serves one. */
    private static RunningService service;

    @BeforeAll
    static void start() throws IOException {
        empty = new FakeParameterServer(0).heldTo(CONTRACT);
        server = new FakeParameterServer(0).heldTo(CONTRACT);
        waiting = start(empty);
        service = start(server);
        publish(server, new ParameterVersion("g", 1));
        LiveModel model = service.context().getBean(LiveModel.class);
        await().atMost(PATIENCE).until(() -> model.version().isPresent());
    }

    private static RunningService start(FakeParameterServer of) {
        return RunningService.start(
                "inference.server=" + of.uri(),
                "inference.max-image-bytes=10KB",
                "inference.max-batch=2",
                "inference.follow-interval=1ms");
    }

    @AfterAll
    static void stop() {
        waiting.close();
        service.close();
        empty.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/predict             | application/json | {                      | 400 | malformed",
                "/predict             | application/json | {\"image\":[1,2,3]}    | 400 | malformed",
                "/predict             | application/json | {\"images\":[[1],[256]]} | 400 | malformed",
                "/predict?invert=yes  | application/json | {\"image\":[1]}        | 400 | invalid-parameter",
                "/predict?invert=1    | image/png        | x                      | 400 | invalid-parameter",
                "/predict             | text/plain       | 7                      | 415 | unsupported-media-type",
                "/predict             | image/gif        | GIF89a                 | 415 | unsupported-media-type",
                "/predict             | image/png        | not a png              | 422 | unreadable-image",
                "/predict             | image/jpeg       | not a jpeg             | 422 | unreadable-image",
                "/predict?version=x   | application/json | {}                     | 400 | invalid-parameter",
                "/predict?version=99  | application/json | {}                     | 404 | version-not-held",
                "/predict             | tensor/safetensors | {}                   | 400 | malformed",
                "/nowhere             | application/json | {}                     | 404 | not-found",
                "/status              | application/json | {}                     | 405 | method-not-allowed"
            })
    void shouldAnswerProblem(String path, String mediaType, String body, int status, String rule) {
        assertProblem(service.post(path, mediaType, body.getBytes(StandardCharsets.UTF_8)), status, rule);
    }

    @ParameterizedTest
    @CsvSource({
        "POST /predict, Transfer-Encoding: chunked",
        "POST /predict, Content-Length: 4000000000000",
        "POST /status, Transfer-Encoding: chunked",
        "PUT /predict, Content-Length: 4000000000000"
    })
    void shouldCloseTheConnectionOfAClientThatGoesOnAfterItsRefusal(String request, String length) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.uri("/").getPort())) {
            String head = "%s HTTP/1.1\r\nHost: a\r\nContent-Type: image/png\r\n%s\r\n\r\n".formatted(request, length);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));

            assertThat(FloodOfBytes.sent(socket)).isBetween(1L << 16, 32L << 20);
        }
    }

    @Test
    void shouldStateTheNumbersOfWrongSize() {
        assertThat(assertProblem(service.postJson("/predict", "{\"image\":[1,2,3]}"), 400, "malformed")
                        .get("detail")
                        .asString())
                .isEqualTo("image 0 is an array of 3 values, the network takes 1 x 28 x 28 (784 in a flat array)");
    }

    @Test
    void shouldSayWhyThereIsNoEvaluation() {
        assertThat(assertProblem(service.get("/evaluation"), 404, "no-evaluation")
                        .get("detail")
                        .asString())
                .isEqualTo("this service evaluates nothing: it has no held-out samples (inference.test-shard)");
    }

    @Test
    void shouldRefuseToContinueATextWithANetworkForImages() {
        JsonNode problem =
                assertProblem(service.postJson("/v1/completions", "{\"prompt\":\"ROMEO:\"}"), 409, "no-language-model");

        assertThat(problem.get("detail").asString()).contains("lenet5?classes=10&input=1x28x28");
    }

    /** A name that completions would refuse is not listed. */
    @Test
    void shouldListNoModelForTextsWhileANetworkForImagesIsServed() {
        JsonNode listed = JSON.readTree(CONTRACT.send(service.get("/v1/models")).body());
        assertThat(listed.toString()).isEqualTo("{\"object\":\"list\",\"data\":[]}");

        JsonNode problem = assertProblem(service.get("/v1/models/fleetgrad"), 404, "not-found");
        assertThat(problem.get("detail").asString())
                .isEqualTo("there is no language model: 'fleetgrad' is the network lenet5?classes=10&input=1x28x28,"
                        + " which takes images of [1, 28, 28] and does not continue texts");
        assertThat(problem.get("message")).isEqualTo(problem.get("detail"));
    }

    @Test
    void shouldListNoModelBeforeTheFirstVersion() {
        JsonNode listed = JSON.readTree(CONTRACT.send(waiting.get("/v1/models")).body());
        assertThat(listed.get("data")).isEmpty();
        assertProblem(waiting.get("/v1/models/fleetgrad"), 503, "no-parameters");
    }

    @Test
    void shouldRefuseBodyThatIsTooLarge() {
        HttpRequest tooLarge = service.post("/predict", "image/png", new byte[10_241]);

        JsonNode problem = assertProblem(tooLarge, 413, "too-large");

        assertThat(problem.get("detail").asString())
                .isEqualTo("the body has 10241 bytes, the limit is 10240 (inference.max-image-bytes)");
        assertThat(problem.get("limitBytes").asInt()).isEqualTo(10_240);
    }

    @Test
    void shouldRefuseBodyThatIsTooLargeWhenItStatesNoLength() {
        HttpRequest chunked = HttpRequest.newBuilder(service.uri("/predict"))
                .header("Content-Type", "image/png")
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[20_000])))
                .build();

        assertThat(assertProblem(chunked, 413, "too-large").get("detail").asString())
                .isEqualTo("the body has more bytes than the limit of 10240 (inference.max-image-bytes)");
    }

    @Test
    void shouldRefuseMoreImagesThanAccepted() {
        String image = "[" + "0,".repeat(783) + "0]";
        String three = "{\"images\":[%s,%s,%s]}".formatted(image, image, image);

        assertThat(assertProblem(service.postJson("/predict", three), 413, "too-large")
                        .get("detail")
                        .asString())
                .isEqualTo("the request has 3 images, the limit is 2");
    }

    @Test
    void shouldRefuseBodyWithoutMediaType() {
        assertProblem(
                HttpRequest.newBuilder(service.uri("/predict"))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                415,
                "unsupported-media-type");
    }

    @Test
    void shouldRefuseToAnswerInAnotherMediaType() {
        HttpRequest request = HttpRequest.newBuilder(service.uri("/status"))
                .header("Accept", "image/png")
                .build();

        assertProblem(request, 406, "not-acceptable");
    }

    @Test
    void shouldWaitForModelAndSayWhy() {
        await().atMost(PATIENCE)
                .until(() -> statusOf(waiting)
                        .get("detail")
                        .asString()
                        .equals("the parameter server has no parameter set yet"));

        HttpRequest request = waiting.postJson("/predict", "{\"image\":%s}".formatted(LeNet.json(LeNet.image(1))));
        assertThat(assertProblem(request, 503, "no-parameters").get("detail").asString())
                .isEqualTo("there is no model yet: the parameter server has no parameter set yet");
        assertProblem(waiting.postJson("/predict", "no image of any network"), 503, "no-parameters");
        assertThat(statusOf(waiting).get("state").asString()).isEqualTo("waiting");
        assertThat(statusOf(waiting).has("network")).isFalse();
        assertThat(CONTRACT.send(waiting.get("/actuator/health/readiness")).statusCode())
                .isEqualTo(503);
        assertThat(CONTRACT.send(waiting.get("/actuator/health/liveness")).statusCode())
                .isEqualTo(200);
        assertThat(CONTRACT.send(waiting.get("/actuator/health")).statusCode()).isEqualTo(503);
        assertThat(CONTRACT.send(waiting.get("/actuator/prometheus")).body())
                .asString()
                .contains("inference_model_version NaN");
    }

    @Test
    void shouldHaveTheRoutesOfTheContractAndNoOthers() {
        Set<String> mapped = new TreeSet<>();
        service.context()
                .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .forEach(mapping -> mapping.getMethodsCondition()
                        .getMethods()
                        .forEach(
                                method -> mapping.getPatternValues().forEach(path -> mapped.add(method + " " + path))));

        Set<String> documented = new TreeSet<>(CONTRACT.operations("inference-api"));
        // Spring Boot's own routes are tested one by one.
        documented.removeIf(operation -> operation.startsWith("GET /actuator/"));
        assertThat(mapped).isEqualTo(documented);
        assertProblem(service.get("/actuator"), 404, "not-found");
    }

    @Test
    void shouldRefuseAPolicyThatItCannotFollow() {
        assertThat(assertProblem(put("{\"policy\":\"worst\"}"), 400, "invalid-parameter")
                        .get("detail")
                        .asString())
                .startsWith("a policy is latest, previous, best,");
        assertThat(assertProblem(put("{\"policy\":\"pinned:7\"}"), 400, "invalid-parameter")
                        .get("detail")
                        .asString())
                .isEqualTo("the version 7 is not held, so it cannot be pinned; held are [g-1]");
        for (String body : List.of(
                "", "{}", "{", "[]", "7", "{\"policy\":7}", "{\"policy\":[]}", "{\"policy\":NaN}", "{\"x\":1}")) {
            assertThat(assertProblem(put(body), 400, "invalid-parameter")
                            .get("detail")
                            .asString())
                    .as(body)
                    .startsWith("the body must be like {\"policy\": \"latest\"}")
                    .doesNotContainPattern("PolicyController|CoercionConfig|[A-Z]+_[A-Z]+|[`$]|jackson");
        }
        assertThat(assertProblem(put("{\"policy\":7}"), 400, "invalid-parameter")
                        .get("detail")
                        .asString())
                .endsWith(": 'policy' must be a text; it is a number");
        HttpResponse<byte[]> changed = CONTRACT.send(put("{\"policy\":\"pinned:1\"}"));
        assertThat(JSON.readTree(changed.body()).get("policy").asString()).isEqualTo("pinned:1");
        JsonNode reply = JSON.readTree(CONTRACT.send(service.get("/policy")).body());
        assertThat(reply.get("version").asLong()).isEqualTo(1);
        assertThat(reply.get("held").size()).isEqualTo(1);
    }

    private static HttpRequest put(String body) {
        return HttpRequest.newBuilder(service.uri("/policy"))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    @Test
    void shouldAnswerBusyWhileItDrains() {
        try (RunningService draining = start(server)) {
            LiveModel model = draining.context().getBean(LiveModel.class);
            await().atMost(PATIENCE).until(() -> model.version().isPresent());
            draining.context().getBean(Batcher.class).close();

            HttpRequest request = draining.postJson("/predict", "{\"image\":%s}".formatted(LeNet.json(LeNet.image(1))));
            JsonNode problem = assertProblem(request, 503, "busy");

            assertThat(problem.get("detail").asString()).isEqualTo("the service shuts down: ask another one, or later");
            assertThat(CONTRACT.send(request).headers().firstValue("Retry-After"))
                    .contains("1");
        }
    }

    @Test
    void shouldSurviveRestartOfTheServer() throws IOException {
        FakeParameterServer first = new FakeParameterServer(0).heldTo(CONTRACT);
        ParameterVersion before = new ParameterVersion("before", 9);
        ParameterVersion after = new ParameterVersion("after", 0);
        try (RunningService other =
                RunningService.start("inference.server=" + first.uri(), "inference.follow-interval=1ms")) {
            publish(first, before);
            LiveModel model = other.context().getBean(LiveModel.class);
            await().atMost(PATIENCE).until(() -> model.version().equals(Optional.of(before)));

            first.close();
            await().atMost(PATIENCE).until(() -> statusOf(other).has("detail"));
            assertThat(statusOf(other).get("detail").asString())
                    .startsWith("the parameter server cannot be reached: GET http");
            assertThat(statusOf(other).has("lag")).isFalse();
            HttpRequest request = other.postJson("/predict", "{\"image\":%s}".formatted(LeNet.json(LeNet.image(1))));
            assertThat(CONTRACT.send(request).statusCode()).isEqualTo(200);

            try (FakeParameterServer second = new FakeParameterServer(0, first.port()).heldTo(CONTRACT)) {
                publish(second, after);
                await().atMost(PATIENCE).until(() -> model.version().equals(Optional.of(after)));
                await().atMost(PATIENCE).until(() -> !statusOf(other).has("detail"));
                assertThat(second.violations()).isEmpty();
            }
        } finally {
            first.close();
        }
        assertThat(first.violations()).isEmpty();
    }

    @Test
    void shouldEndWithoutFailureWhileItWaits() {
        RunningService closed = RunningService.start("inference.server=" + empty.uri());
        LiveModel model = closed.context().getBean(LiveModel.class);

        closed.close();

        ParameterVersion version = new ParameterVersion("g", 1);
        model.swapTo(version, LeNet.set(version, Map.of()));
        assertThat(model.version()).isEmpty();
    }

    private static void publish(FakeParameterServer to, ParameterVersion version) {
        to.publish(version, LeNet.set(version, Map.of()));
    }

    private static JsonNode assertProblem(HttpRequest request, int status, String rule) {
        HttpResponse<byte[]> response = CONTRACT.send(request);
        assertThat(response.statusCode()).isEqualTo(status);
        JsonNode problem = JSON.readTree(response.body());
        assertThat(problem.get("type").asString()).isEqualTo("urn:fleetgrad:problem:" + rule);
        return problem;
    }

    private static JsonNode statusOf(RunningService of) {
        return JSON.readTree(CONTRACT.send(of.get("/status")).body());
    }

    @Test
    void shouldAnswerWhatJettyRefusesAsAProblemWithTheMemberOfTheOpenInferenceProtocol() {
        HttpResponse<byte[]> answer = CONTRACT.send(service.get("/v2/models/a%1Cb/ready"));

        JsonNode problem = JSON.readTree(answer.body());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(problem.get("type").asString()).isEqualTo("urn:fleetgrad:problem:malformed");
        assertThat(problem.get("error").asString()).isEqualTo("the request is refused: Suspicious Path Character");
    }
}

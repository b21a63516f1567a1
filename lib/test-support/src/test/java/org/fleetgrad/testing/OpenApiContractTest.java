package org.fleetgrad.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenApiContractTest {

    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";
    private static final String SAFETENSORS = "application/vnd.safetensors";
    private static final String VERSION = "{\"code\":200,\"version\":3,\"generation\":\"g\",\"initialized\":true}";
    private static final Map<String, String> TENSOR_HEADERS = Map.of(
            "Content-Type", SAFETENSORS,
            "ETag", "\"g-3\"",
            "X-Version", "3",
            "X-Generation", "g",
            "Cache-Control", "no-cache");

    private final OpenApiContract contract = OpenApiContract.load();

    @Test
    void shouldListOperationsByTag() {
        assertThat(contract.operations("ps-service"))
                .contains("GET /getVersion", "PUT /putParameter", "GET /status")
                .doesNotContain("POST /predict");
        assertThat(contract.operations("inference-api")).contains("POST /predict", "GET /status");
    }

    @Test
    void shouldAcceptWhatTheContractSays() {
        assertValid(get("/getVersion", 200, JSON, VERSION));
    }

    @Test
    void shouldReportEverythingThatIsNotAsDocumented() {
        assertThatThrownBy(() -> contract.check(get("/getVersion", 200, JSON, "{\"code\":200,\"version\":-1}")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("GET http://127.0.0.1/getVersion -> 200")
                .hasMessageContaining("\"generation\"")
                .hasMessageContaining("lower than the required minimum")
                .hasMessageContaining("body: {\"code\":200,\"version\":-1}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"code\":200,\"version\":3,\"generation\":\"g\",\"initialized\":true,\"accuracy\":null}",
                "{\"code\":200,\"version\":3,\"generation\":\"g\",\"initialized\":true,\"more\":1}",
                "{\"code\":200,\"version\":\"3\",\"generation\":\"g\",\"initialized\":true}",
                "{\"code\":200,\"version\":3,\"generation\":\"g\",\"initialized\":true,\"accuracy\":1.5}",
                "{\"code\":201,\"version\":3,\"generation\":\"g\",\"initialized\":true}",
                "{\"code\":200,",
                ""
            })
    void shouldRejectBodyThatTheSchemaForbids(String body) {
        assertInvalid(get("/getVersion", 200, JSON, body));
    }

    @Test
    void shouldRejectUndocumentedStatusAndMediaType() {
        assertInvalid(get("/getVersion", 500, PROBLEM, problem("internal", 500)));
        assertInvalid(get("/getVersion", 200, "text/html", VERSION));
        assertInvalid(get("/nowhere", 200, JSON, VERSION));
    }

    @Test
    void shouldCheckTensorsByMediaTypeAndHeaders() {
        byte[] anything = {1, (byte) 0xFF, 0};
        assertValid(exchange("GET", "/getParameter?after=2&waitMs=100", Map.of(), "", 200, TENSOR_HEADERS, anything));
        assertInvalid(
                exchange("GET", "/getParameter", Map.of(), "", 200, Map.of("Content-Type", SAFETENSORS), anything));
        assertValid(
                exchange("GET", "/getParameter", Map.of("If-None-Match", "\"g-3\""), "", 304, Map.of(), new byte[0]));
    }

    @Test
    void shouldAcceptBothAnswersToPush() {
        Map<String, String> request = Map.of("Content-Type", SAFETENSORS);
        assertValid(exchange(
                "POST",
                "/putGradient",
                request,
                "tensors",
                200,
                Map.of("Content-Type", JSON),
                bytes(Examples.json("PushReply"))));
        assertValid(exchange(
                "POST",
                "/putGradient?pull=true",
                request,
                "tensors",
                200,
                Map.of("Content-Type", SAFETENSORS, "X-Outcome", "applied", "X-Version", "4", "X-Staleness", "0"),
                new byte[] {1, 2, 3}));
        assertInvalid(exchange(
                "POST",
                "/putGradient?pull=true",
                request,
                "tensors",
                200,
                Map.of("Content-Type", SAFETENSORS, "X-Outcome", "APPLIED"),
                new byte[] {1, 2, 3}));
    }

    @Test
    void shouldHoldRequestToContractWhereItWasAccepted() {
        String reply = Examples.json("RegisterWorkerReply");
        assertValid(post("/registerWorker", JSON, "{\"id\":\"w\"}", 200, JSON, reply));
        assertInvalid(post("/registerWorker", JSON, "{\"idd\":\"w\"}", 200, JSON, reply));
        assertInvalid(post("/registerWorker", "text/plain", "{\"id\":\"w\"}", 200, JSON, reply));
        assertInvalid(get("/getVersion?colour=red", 200, JSON, VERSION));
        assertInvalid(exchange("GET", "/getParameter?waitMs=60001", Map.of(), "", 200, TENSOR_HEADERS, new byte[] {1}));
    }

    @Test
    void shouldLetRefusedRequestBeAnything() {
        assertValid(post("/registerWorker", JSON, "{", 400, PROBLEM, problem("malformed", 400)));
        assertValid(
                post("/registerWorker", "text/plain", "hello", 415, PROBLEM, problem("unsupported-media-type", 415)));
    }

    @ParameterizedTest
    @CsvSource({
        "/registerWorker, 409, worker-exists, true",
        "/registerWorker, 409, unknown-worker, false",
        "/unregisterWorker, 409, unknown-worker, true",
        "/putGradient, 409, stale-gradient, true",
        "/putGradient, 409, worker-exists, false",
        "/putGradient, 422, not-finite, true",
        "/putGradient, 422, layout-mismatch, true",
        "/putGradient, 411, length-required, true",
        "/putGradient, 413, too-large, true",
        "/putAccuracy, 409, future-version, true",
        "/predict, 413, too-large, true",
        "/predict, 422, unreadable-image, true",
        "/predict, 422, malformed, false"
    })
    void shouldKnowWhichProblemsAnOperationHas(String path, int status, String rule, boolean isDocumented) {
        RecordedExchange exchange = post(path, JSON, "{}", status, PROBLEM, problem(rule, status));
        if (isDocumented) {
            assertValid(exchange);
        } else {
            assertInvalid(exchange);
        }
    }

    @Test
    void shouldWantRetryAfterBesideBusy() {
        assertInvalid(post("/putGradient", SAFETENSORS, "x", 503, PROBLEM, problem("busy", 503)));
        assertValid(exchange(
                "POST",
                "/putGradient",
                Map.of("Content-Type", SAFETENSORS),
                "x",
                503,
                Map.of("Content-Type", PROBLEM, "Retry-After", "1"),
                bytes(problem("busy", 503))));
    }

    @Test
    void shouldWantProblemForUnknownRoute() {
        assertValid(get("/nowhere", 404, PROBLEM, problem("not-found", 404)));
        assertInvalid(get("/nowhere", 404, PROBLEM, problem("no-parameters", 404)));
        assertInvalid(get("/nowhere", 404, PROBLEM, problem("not-found", 400)));
        assertInvalid(get("/nowhere", 404, PROBLEM, "{\"status\":404}"));
        assertInvalid(get("/nowhere", 404, "text/html", "<html>"));
    }

    @Test
    void shouldLetAServerWithKeysSayNothingOfUnknownRoutes() {
        assertValid(get("/nowhere", 401, PROBLEM, problem("unauthenticated", 401)));
        assertValid(get("/nowhere", 403, PROBLEM, problem("forbidden", 403)));
        assertInvalid(get("/nowhere", 401, PROBLEM, problem("forbidden", 401)));
        assertInvalid(get("/nowhere", 403, PROBLEM, problem("not-found", 403)));
        // Where the route is known, what it documents counts: its challenge, and no 401 at all where it is open.
        assertInvalid(get("/getVersion", 401, PROBLEM, problem("unauthenticated", 401)));
        assertInvalid(get("/actuator/health", 401, PROBLEM, problem("unauthenticated", 401)));
    }

    @Test
    void shouldWantAllowForUnknownMethod() {
        String body = problem("method-not-allowed", 405);
        assertValid(exchange(
                "PATCH",
                "/getVersion",
                Map.of(),
                "",
                405,
                Map.of("Content-Type", PROBLEM, "Allow", "GET, HEAD"),
                bytes(body)));
        assertInvalid(
                exchange("PATCH", "/getVersion", Map.of(), "", 405, Map.of("Content-Type", PROBLEM), bytes(body)));
        assertInvalid(exchange("GET", "/getVersion", Map.of(), "", 405, Map.of("Content-Type", PROBLEM), bytes(body)));
    }

    @Test
    void shouldNotExcuseDocumentedMethodWith405() {
        assertInvalid(exchange(
                "GET",
                "/getVersion",
                Map.of(),
                "",
                405,
                Map.of("Content-Type", PROBLEM, "Allow", "GET"),
                bytes(problem("method-not-allowed", 405))));
    }

    @Test
    void shouldKnowThatAnyAnswerCanBeNotAcceptable() {
        assertValid(get("/getVersion", 406, PROBLEM, problem("not-acceptable", 406)));
        assertInvalid(get("/getVersion", 406, PROBLEM, problem("malformed", 406)));
    }

    @Test
    void shouldTellTheTwoKindsOfStatusApart() {
        String waiting = "{\"code\":200,\"state\":\"waiting\",\"server\":\"http://127.0.0.1:29500\","
                + "\"network\":\"lenet5\",\"predictions\":0,\"uptimeMs\":1}";
        assertValid(get("/status", 200, JSON, waiting));
        assertInvalid(get("/status", 200, JSON, waiting.replace("\"network\"", "\"net\"")));
    }

    @Test
    void shouldRejectYamlThatIsNotOpenApi() {
        assertThatThrownBy(() -> OpenApiContract.parse("paths: {}"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("openapi.yaml is not OpenAPI 3.0: [attribute openapi is missing");
    }

    @Test
    void shouldHoldTheTitleOfAProblemToItsType() {
        String other = contract.problemTitles().getOrDefault("busy", "");

        assertThatThrownBy(() -> contract.check(
                        post("/registerWorker", JSON, "{", 400, PROBLEM, problem("malformed", other, 400))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(
                        "the title of malformed is 'The server is busy' instead of 'The request is malformed'");
        assertInvalid(get("/nowhere", 404, PROBLEM, problem("not-found", other, 404)));
    }

    private void assertValid(RecordedExchange exchange) {
        assertThatCode(() -> contract.check(exchange)).doesNotThrowAnyException();
    }

    private void assertInvalid(RecordedExchange exchange) {
        assertThatThrownBy(() -> contract.check(exchange))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("is not as openapi.yaml documents it");
    }

    private String problem(String rule, int status) {
        return problem(rule, contract.problemTitles().getOrDefault(rule, "t"), status);
    }

    private static String problem(String rule, String title, int status) {
        return """
                {"type":"urn:fleetgrad:problem:%s","title":"%s","status":%d,"code":%d,"detail":"d","limitBytes":5}""".formatted(rule, title, status, status);
    }

    private static RecordedExchange get(String path, int status, String type, String body) {
        return exchange("GET", path, Map.of(), "", status, Map.of("Content-Type", type), bytes(body));
    }

    private static RecordedExchange post(
            String path, String requestType, String requestBody, int status, String type, String body) {
        return exchange(
                "POST",
                path,
                Map.of("Content-Type", requestType),
                requestBody,
                status,
                Map.of("Content-Type", type),
                bytes(body));
    }

    private static RecordedExchange exchange(
            String method,
            String path,
            Map<String, String> requestHeaders,
            String requestBody,
            int status,
            Map<String, String> responseHeaders,
            byte[] responseBody) {
        return new RecordedExchange(
                method,
                URI.create("http://127.0.0.1" + path),
                lists(requestHeaders),
                ByteBuffer.wrap(bytes(requestBody)),
                status,
                lists(responseHeaders),
                ByteBuffer.wrap(responseBody));
    }

    private static Map<String, List<String>> lists(Map<String, String> headers) {
        return headers.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

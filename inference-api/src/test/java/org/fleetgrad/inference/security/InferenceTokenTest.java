package org.fleetgrad.inference.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.Tokens;
import org.fleetgrad.inference.SecuredInference;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.web.SecurityProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

@ExtendWith(OutputCaptureExtension.class)
class InferenceTokenTest {

    private static final byte[] KEY = "of thirty-two bytes or of more..".getBytes(StandardCharsets.UTF_8);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static SecuredInference service;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("token-key"), KEY);
        service = SecuredInference.start("inference.security.token-key-file=" + file);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void shouldGiveATokenForKeys() {
        JsonNode reply = SecuredInference.body(
                service.send(service.json(Routes.ISSUE_TOKEN, "{%s}".formatted(SecuredInference.keys(Role.READER)))));

        assertThat(reply.get("role").asString()).isEqualTo("reader");
        assertThat(reply.get("expiresMs").asLong()).isBetween(890_000L, 900_000L);
        assertThat(status(reply.get("token").asString())).isEqualTo(200);
        // Any number of times, until it expires.
        assertThat(status(reply.get("token").asString())).isEqualTo(200);
    }

    /** As ps-service signs them, if both have the same inference.security.token-key-file and ps.security.token-key-file. */
    @Test
    void shouldTakeATokenOfAServiceWithTheSameKey() {
        Tokens theirs = new Tokens(KEY, Clock.systemUTC(), MINUTE);

        assertThat(status(theirs.issue(Caller.of(Role.READER)).text())).isEqualTo(200);
        // A worker's token is valid here, but has no permission.
        assertThat(status(theirs.issue(Caller.worker("w")).text())).isEqualTo(403);
    }

    @Test
    void shouldRefuseATokenOfAServiceWithAnotherKey() {
        byte[] other = KEY.clone();
        other[0]++;
        String token = new Tokens(other, Clock.systemUTC(), MINUTE)
                .issue(Caller.of(Role.OPERATOR))
                .text();

        assertUnauthenticated(token, "the token is invalid: this server did not issue it");
    }

    @Test
    void shouldRefuseATokenThatExpired() {
        Instant then = Instant.parse("2026-01-01T00:00:00Z");
        String token = new Tokens(KEY, Clock.fixed(then, ZoneOffset.UTC), MINUTE)
                .issue(Caller.of(Role.READER))
                .text();

        assertUnauthenticated(token, "the token expired at " + then.plus(MINUTE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "a.b.c",
                "eyJhbGciOiJub25lIn0.eyJyb2xlIjoib3BlcmF0b3IiLCJleHAiOjk5OTk5OTk5OTk5fQ.",
                "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoib3BlcmF0b3IiLCJleHAiOjk5OTk5OTk5OTk5fQ.AAAA"
            })
    void shouldRefuseATokenThatIsNone(String token) {
        assertUnauthenticated(token, "the token is invalid: this server did not issue it");
    }

    @ParameterizedTest
    @ValueSource(ints = {2049, 6000, 100_000})
    void shouldRefuseAnOversizedToken(int length) throws Exception {
        HttpRequest request = SecuredInference.with("x".repeat(length), service.request("GET", "/status"))
                .build();

        // Beyond its limit for a head, Jetty responds by itself, before our code.
        assertThat(answer(request)).isEqualTo(length > 8192 ? 431 : 401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic cmVhZGVyOnNlY3JldC1vZi1yZWFkZXI=", "Bearer", "Token x"})
    void shouldTakeAnotherSchemeForNoToken(String authorization) {
        JsonNode problem = service.refused(
                service.request("GET", "/status").header("Authorization", authorization),
                401,
                ProblemKind.UNAUTHENTICATED.rule());

        assertThat(problem.get("detail").asString()).startsWith("the request has no token: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"accessKey\":\"reader\",\"secretKey\":\"secret-of-operator\"}",
                "{\"accessKey\":\"operator\",\"secretKey\":\"wrong-secret\"}",
                "{\"accessKey\":\"reader\"}",
                "{}"
            })
    void shouldRefuseWrongKeysWithoutShowingThem(String keys, CapturedOutput output) {
        JsonNode problem =
                service.refused(service.json(Routes.ISSUE_TOKEN, keys), 401, ProblemKind.UNAUTHENTICATED.rule());

        assertThat(problem.toString()).doesNotContain("wrong-secret", "secret-of");
        assertThat(output).doesNotContain("wrong-secret", "secret-of");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"accessKey\":\"reader\",\"secretKey\":\"sesame-open",
                "[\"sesame-open\"]",
                "{\"accessKey\":{\"sesame-open\":1}}",
                ""
            })
    void shouldRefuseMalformedKeysWithoutShowingThem(String body, CapturedOutput output) {
        JsonNode problem = service.refused(service.json(Routes.ISSUE_TOKEN, body), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.toString()).doesNotContain("sesame");
        assertThat(output).doesNotContain("sesame");
    }

    @Test
    void shouldGiveNoTokenForAWorkersName() {
        String body = "{%s,\"worker\":\"w\"}".formatted(SecuredInference.keys(Role.WORKER));

        JsonNode problem = service.refused(service.json(Routes.ISSUE_TOKEN, body), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("a worker's token is of the parameter server: leave 'worker' out of the request");
    }

    @Test
    void shouldReadOnlyShortBodiesOfStrangers() {
        service.refused(service.json(Routes.ISSUE_TOKEN, " ".repeat(65_537)), 413, ProblemKind.TOO_LARGE.rule());
        service.refused(
                HttpRequest.newBuilder(service.uri(Routes.ISSUE_TOKEN))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("{}"))),
                411,
                ProblemKind.LENGTH_REQUIRED.rule());
    }

    @Test
    void shouldGiveClientsOfTheOpenInferenceProtocolTheMemberThatTheyLookFor() {
        JsonNode problem =
                service.refused(service.json("/v2/models/lenet5/infer", "{}"), 401, ProblemKind.UNAUTHENTICATED.rule());

        assertThat(problem.get("error").asString())
                .isEqualTo(problem.get("detail").asString());
    }

    /** Each path might reach a route that its text does not name. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST //predict",
                "POST /predict/",
                "POST /predict;x=1",
                "POST /;x/predict",
                "POST /%70redict",
                "POST /predict%2f",
                "POST /PREDICT",
                "POST /v2/../predict",
                "POST /actuator/health/../../predict",
                "POST /issueToken/../predict",
                "POST /issueToken/..;/predict",
                "GET /actuator/health/../prometheus",
                "GET /actuator/health/..;/prometheus",
                "GET /v2/health/live/../../../status",
                "GET /v2/health/live;/../../../status",
                "GET /v2/health/%2e%2e/../status",
                "HEAD /status",
                "OPTIONS /predict",
                "OPTIONS /issueToken",
                "TRACE /status",
                "PATCH /policy",
                "DELETE /issueToken"
            })
    void shouldGiveAStrangerNothingByATrick(String operation) throws Exception {
        String[] parts = operation.split(" ", 2);

        assertThat(RawRequest.status(service.uri(""), parts[0], parts[1])).isIn(400, 401);
    }

    /** And none of them gives a reader the operator's permission. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PUT //policy",
                "PUT /policy;x=1",
                "PUT /v2/../policy",
                "PUT /%70olicy",
                "PUT /predict/../policy",
                "GET /v2/..;/policy",
                "TRACE /status",
                "OPTIONS /policy"
            })
    void shouldGiveAReaderNothingByATrick(String operation) throws Exception {
        String[] parts = operation.split(" ", 2);

        assertThat(RawRequest.status(
                        service.uri(""),
                        parts[0],
                        parts[1],
                        "Authorization: Bearer " + service.token(Role.READER),
                        "X-HTTP-Method-Override: GET",
                        "X-Forwarded-Prefix: /predict"))
                .isIn(400, 403);
    }

    @Test
    void shouldNeverShowAKeyThroughActuator() {
        String operator = service.token(Role.OPERATOR);
        for (String path : new String[] {"/actuator/health", "/actuator/prometheus"}) {
            HttpResponse<byte[]> answer = service.send(SecuredInference.with(operator, service.request("GET", path)));
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).doesNotContain("secret-of");
        }
        for (String path : new String[] {"/actuator/env", "/actuator/configprops", "/actuator/heapdump"}) {
            service.refused(
                    SecuredInference.with(operator, service.request("GET", path)), 404, ProblemKind.NOT_FOUND.rule());
        }
        assertThat(service.context().getBean(SecurityProperties.class).toString())
                .doesNotContain("secret-of");
    }

    private static void assertUnauthenticated(String token, String detail) {
        HttpResponse<byte[]> answer = service.send(SecuredInference.with(token, service.request("GET", Routes.STATUS)));

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(SecuredInference.body(answer).get("detail").asString()).isEqualTo(detail);
        assertThat(answer.headers().firstValue("WWW-Authenticate").orElse("")).contains("error=\"invalid_token\"");
    }

    private static int status(String token) {
        return service.send(SecuredInference.with(token, service.request("GET", Routes.STATUS)))
                .statusCode();
    }

    private static int answer(HttpRequest request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }
}

package org.fleetgrad.ps.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.Tokens;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.SecuredService;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.web.SecurityProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tokens over HTTP: which callers get one, what it allows, and how an invalid one is refused. */
class TokenContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};
    private static final byte[] KEY = "a key of tokens with many bytes!".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private static Path folder;

    private static SecuredService secured;
    private static RunningService service;

    @BeforeAll
    static void start() throws IOException {
        Path key = Files.write(folder.resolve("token.key"), KEY);
        secured = SecuredService.start("ps.security.token-key-file=" + key, "ps.security.token-lifetime=10m")
                .startingAt(ONES);
        service = secured.service();
    }

    @AfterAll
    static void stop() {
        secured.close();
    }

    @Test
    void shouldGiveAWorkerItsTokenWhenItRegisters() {
        HttpResponse<byte[]> answer = service.send(service.json(
                Routes.REGISTER_WORKER, "{\"id\":\"first\",%s}".formatted(SecuredService.keys(Role.WORKER))));
        JsonNode reply = RunningService.body(answer);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(reply.get("tokenExpiresMs").asLong()).isBetween(540_000L, 600_000L);
        String token = reply.get("token").asString();
        assertThat(push(token, "first", 1).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void shouldGiveATokenForKeys(Role role) {
        JsonNode reply = RunningService.body(
                service.send(service.json(Routes.ISSUE_TOKEN, "{%s}".formatted(SecuredService.keys(role)))));

        assertThat(reply.get("code").asInt()).isEqualTo(200);
        assertThat(reply.get("role").asString()).isEqualTo(role.label());
        assertThat(reply.get("expiresMs").asLong()).isBetween(540_000L, 600_000L);
    }

    @ParameterizedTest
    @CsvSource({"WORKER, worker", "OPERATOR, worker"})
    void shouldGiveATokenInAWorkersName(Role role, String expected) {
        JsonNode reply = RunningService.body(service.send(
                service.json(Routes.ISSUE_TOKEN, "{%s,\"worker\":\"w\"}".formatted(SecuredService.keys(role)))));

        assertThat(reply.get("role").asString()).isEqualTo(expected);
    }

    /** All workers have the same key. */
    @Test
    void shouldRenewTheTokenOfARegisteredWorkerOnlyIfItsLastOneIsShown() {
        String first = secured.register("holder");
        String other = secured.register("neighbour");
        String ask = "{%s,\"worker\":\"holder\"}".formatted(SecuredService.keys(Role.WORKER));

        for (HttpRequest.Builder wrong : List.of(
                service.json(Routes.ISSUE_TOKEN, ask),
                SecuredService.with(other, service.json(Routes.ISSUE_TOKEN, ask)),
                SecuredService.with("no-token", service.json(Routes.ISSUE_TOKEN, ask)),
                service.json(Routes.ISSUE_TOKEN, ask).header("Authorization", "Basic eDp5"))) {
            JsonNode problem = service.refused(wrong, 403, ProblemKind.FORBIDDEN.rule());

            assertThat(problem.get("detail").asString())
                    .isEqualTo(
                            "worker 'holder' is registered and has a token: show it in Authorization, expired or not, to get another");
        }
        JsonNode reply =
                RunningService.body(service.send(SecuredService.with(first, service.json(Routes.ISSUE_TOKEN, ask))));
        assertThat(push(reply.get("token").asString(), "holder", 1).statusCode())
                .isEqualTo(200);
        String expired = new Tokens(KEY, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), Duration.ofMinutes(1))
                .issue(Caller.worker("holder"))
                .text();
        assertThat(service.send(SecuredService.with(expired, service.json(Routes.ISSUE_TOKEN, ask)))
                        .statusCode())
                .isEqualTo(200);
        assertThat(service.send(SecuredService.with(
                                secured.token(Role.OPERATOR, null), service.json(Routes.ISSUE_TOKEN, ask)))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldGiveATokenForTheKeyAloneToAWorkerWhoseLeaseIsOverOrThatIsOfAnEarlierLife() {
        String token = secured.register("leaver");
        service.send(SecuredService.with(token, service.json(Routes.UNREGISTER_WORKER, "{\"id\":\"leaver\"}")));
        leases().restore(List.of(
                new Worker("restored", "", "cpu", Optional.empty(), Instant.MIN, Optional.empty(), Optional.empty())));

        for (String worker : List.of("leaver", "restored", "nobody")) {
            assertThat(secured.token(Role.WORKER, worker)).as(worker).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"READER", "EVALUATOR"})
    void shouldLetNobodyElseBeAWorker(Role role) {
        for (String path : new String[] {Routes.REGISTER_WORKER, Routes.ISSUE_TOKEN}) {
            String id = path.equals(Routes.ISSUE_TOKEN) ? "worker" : "id";
            JsonNode problem = service.refused(
                    service.json(path, "{\"%s\":\"no\",%s}".formatted(id, SecuredService.keys(role))),
                    403,
                    ProblemKind.FORBIDDEN.rule());

            assertThat(problem.get("detail").asString())
                    .startsWith("the role %s may be no worker".formatted(role.label()));
        }
        assertThat(leases().live()).noneMatch(worker -> worker.id().equals("no"));
    }

    @ParameterizedTest
    @CsvSource({
        "'{}', the request lacks 'accessKey' or 'secretKey'",
        "'{\"accessKey\":\"worker\"}', the request lacks 'accessKey' or 'secretKey'",
        "'{\"accessKey\":\"worker\",\"secretKey\":\"wrong-secret\"}', the keys are those of no role",
        "'{\"accessKey\":\"worker\",\"secretKey\":\"secret-of-operator\"}', the keys are those of no role",
        "'{\"accessKey\":\"\",\"secretKey\":\"\"}', the keys are those of no role"
    })
    void shouldRefuseWrongKeys(String body, String detail) {
        for (String path : new String[] {Routes.REGISTER_WORKER, Routes.ISSUE_TOKEN}) {
            HttpResponse<byte[]> answer = service.send(service.json(path, body));

            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate"))
                    .contains("Bearer realm=\"fleetgrad\", error=\"invalid_token\", error_description=\"%s\""
                            .formatted(detail));
            assertThat(RunningService.body(answer).get("detail").asString()).isEqualTo(detail);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).doesNotContain("wrong-secret", "secret-of");
        }
    }

    @Test
    void shouldReadLittleFromACallerWithoutAToken() {
        String long64k = "{\"description\":\"%s\"}".formatted("x".repeat(64 * 1024));
        service.refused(service.json(Routes.REGISTER_WORKER, long64k), 413, ProblemKind.TOO_LARGE.rule());
        service.refused(
                service.get(Routes.ISSUE_TOKEN).POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("{}"))),
                411,
                ProblemKind.LENGTH_REQUIRED.rule());
    }

    @Test
    void shouldRefuseAnExpiredToken() {
        ManualClock past = new ManualClock();
        String token = new Tokens(KEY, past, Duration.ofMinutes(1))
                .issue(Caller.of(Role.OPERATOR))
                .text();

        HttpResponse<byte[]> answer = service.send(SecuredService.with(token, service.get(Routes.STATUS)));

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(RunningService.body(answer).get("detail").asString())
                .isEqualTo("the token expired at " + past.instant().plusSeconds(60));
        assertThat(answer.headers().firstValue("WWW-Authenticate").orElse(""))
                .contains("error=\"invalid_token\"", "expired");
    }

    @Test
    void shouldTakeTheTokenOfAnotherServerWithTheSameKey() {
        String token = new Tokens(KEY, Clock.systemUTC(), Duration.ofMinutes(1))
                .issue(Caller.of(Role.READER))
                .text();

        assertThat(service.send(SecuredService.with(token, service.get(Routes.STATUS)))
                        .statusCode())
                .isEqualTo(200);
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
        service.refused(
                SecuredService.with(token, service.get(Routes.STATUS)), 401, ProblemKind.UNAUTHENTICATED.rule());
        service.refused(
                SecuredService.with(token, service.push("w", 1, 0, ONES)), 401, ProblemKind.UNAUTHENTICATED.rule());
    }

    @Test
    void shouldRefuseATokenOfAnotherServer() {
        byte[] other = KEY.clone();
        other[0]++;
        String token = new Tokens(other, Clock.systemUTC(), Duration.ofMinutes(1))
                .issue(Caller.of(Role.OPERATOR))
                .text();

        service.refused(
                SecuredService.with(token, service.get(Routes.STATUS)), 401, ProblemKind.UNAUTHENTICATED.rule());
    }

    @ParameterizedTest
    @ValueSource(ints = {2049, 6000, 100_000})
    void shouldRefuseAnOversizedToken(int length) throws IOException, InterruptedException {
        HttpRequest request = SecuredService.with("x".repeat(length), service.get(Routes.STATUS))
                .build();

        // Above its limit for a head, Jetty answers by itself, before any of our code.
        int status = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();

        assertThat(status).isEqualTo(length > 8192 ? 431 : 401);
    }

    @Test
    void shouldRefuseAPushInAnotherWorkersName() {
        String ours = secured.register("ours");
        secured.register("theirs");

        JsonNode problem = service.refused(
                SecuredService.with(ours, service.push("theirs", 1, 0, ONES)), 403, ProblemKind.FORBIDDEN.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("the token belongs to worker 'ours' and is not valid for worker 'theirs'");
        assertThat(service.bean(Training.class).highestSequence("theirs")).isZero();
    }

    @Test
    void shouldRefuseAPushOfAWorkerTokenWithoutAWorker() {
        secured.register("named");

        service.refused(
                SecuredService.with(secured.token(Role.WORKER, null), service.push("named", 1, 0, ONES)),
                403,
                ProblemKind.FORBIDDEN.rule());
    }

    @Test
    void shouldNotLetATokenRenewOrEndAnotherWorkersLease() {
        String ours = secured.register("mine");
        secured.register("other");

        service.refused(
                SecuredService.with(ours, service.get(Routes.GET_VERSION)).header(HeaderNames.WORKER, "other"),
                403,
                ProblemKind.FORBIDDEN.rule());
        service.refused(
                SecuredService.with(ours, service.json(Routes.UNREGISTER_WORKER, "{\"id\":\"other\"}")),
                403,
                ProblemKind.FORBIDDEN.rule());
        assertThat(leases().live()).anyMatch(worker -> worker.id().equals("other"));
        assertThat(service.send(SecuredService.with(ours, service.json(Routes.UNREGISTER_WORKER, "{\"id\":\"mine\"}")))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldNotRenewALeaseForACallerWithoutAToken() {
        secured.register("leased");
        Object before = leaseOf("leased");

        service.send(service.get("/actuator/health").header(HeaderNames.WORKER, "leased"));
        service.send(service.json(Routes.ISSUE_TOKEN, "{%s}".formatted(SecuredService.keys(Role.READER)))
                .header(HeaderNames.WORKER, "leased"));

        assertThat(leaseOf("leased")).isEqualTo(before);
    }

    @Test
    void shouldLetAnOperatorPushInAnyName() {
        secured.register("any");

        assertThat(push(secured.token(Role.OPERATOR, null), "any", 1).statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldGiveNoTokenWithoutKeys() {
        try (RunningService open = RunningService.start()) {
            open.refused(
                    open.json(Routes.ISSUE_TOKEN, "{%s}".formatted(SecuredService.keys(Role.WORKER))),
                    409,
                    ProblemKind.SECURITY_OFF.rule());
            JsonNode registered = RunningService.body(
                    open.send(open.json(Routes.REGISTER_WORKER, "{%s}".formatted(SecuredService.keys(Role.WORKER)))));

            assertThat(registered.has("token")).isFalse();
            assertThat(registered.has("tokenExpiresMs")).isFalse();
        }
    }

    @Test
    void shouldNeverShowAKeyThroughActuator() {
        String operator = secured.token(Role.OPERATOR, null);
        for (String path : new String[] {"/actuator/health", "/actuator/prometheus"}) {
            byte[] body = service.send(SecuredService.with(operator, service.get(path)))
                    .body();
            assertThat(new String(body, StandardCharsets.UTF_8)).as(path).doesNotContain("secret-of");
        }
        for (String path : new String[] {"/actuator/env", "/actuator/configprops", "/actuator/heapdump"}) {
            service.refused(SecuredService.with(operator, service.get(path)), 404, ProblemKind.NOT_FOUND.rule());
        }
        assertThat(service.bean(SecurityProperties.class).toString()).doesNotContain("secret-of");
    }

    private Leases leases() {
        return service.bean(Leases.class);
    }

    private Object leaseOf(String id) {
        return leases().live().stream()
                .filter(worker -> worker.id().equals(id))
                .findFirst()
                .orElseThrow()
                .leaseEnd();
    }

    private static HttpResponse<byte[]> push(String token, String worker, long sequence) {
        long version = RunningService.body(service.send(SecuredService.with(token, service.get(Routes.GET_VERSION))))
                .get("version")
                .asLong();
        return service.send(SecuredService.with(token, service.push(worker, sequence, version, ONES)));
    }
}

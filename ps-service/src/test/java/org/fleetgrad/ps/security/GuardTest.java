package org.fleetgrad.ps.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.TokenKey;
import org.fleetgrad.access.Tokens;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.access.rate.Rates.RateLimits;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.testing.ManualClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {

    private static final String OWN = "127.0.0.1";

    private final ManualClock clock = new ManualClock();
    private final Tokens tokens = new Tokens(TokenKey.random(), clock, Duration.ofMinutes(1));
    private final Rates rates = new Rates(RateLimits.NONE, System::nanoTime);
    private final Guard guard = new Guard(PsRoutes.TABLE, Optional.of(tokens), rates);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/health",
                "/actuator/health/liveness",
                "/actuator/health/readiness",
                "/actuator/info",
                "/registerWorker",
                "/issueToken"
            })
    void shouldLetAnybodyAskForHealthAndForTokens(String path) {
        String method = path.startsWith("/actuator") ? "GET" : "POST";

        assertThat(guard.authorize(head(method, path, null, "w"))).isEmpty();
    }

    /** Each path would reach another route, or actuator's metrics, if it were treated as a public one. */
    @ParameterizedTest
    @CsvSource({
        "GET,/actuator/health/../prometheus",
        "GET,/actuator/health/..;/prometheus",
        "GET,/actuator/health/%2e%2e/prometheus",
        "GET,/actuator/health;x=/../prometheus",
        "GET,/actuator/health//../../getParameter",
        "GET,/actuator/healthy",
        "POST,/actuator/health",
        "GET,/actuator/info/../env",
        "GET,/issueToken",
        "PUT,/registerWorker",
        "POST,/registerWorker/",
        "POST,//registerWorker",
        "POST,/registerworker",
        "POST,/registerWorker;a=b",
        "POST,/issueToken/../putGradient",
        "POST,/",
        "GET,//",
        "GET,/assets/",
        "GET,/assets/../status",
        "GET,/assets/.hidden",
        "GET,/assets/%2e%2e/status",
        "GET,/assets/a/../../status",
        "POST,/assets/fleetgrad.css",
        "GET,''",
        "OPTIONS,/status",
        "TRACE,/registerWorker"
    })
    void shouldRequireATokenForEveryOtherPath(String method, String path) {
        assertThat(refusal(head(method, path, null, null)).kind()).isEqualTo(ProblemKind.UNAUTHENTICATED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"WORKER", "READER", "EVALUATOR"})
    void shouldDenyRoutesThatAreNotInTheTable(Role role) {
        for (String path : new String[] {
            "/rollback",
            "/checkpoints",
            "/getVersion/",
            "//getVersion",
            "/getVersion;v=1",
            "/get%56ersion",
            "/actuator/../events/x"
        }) {
            assertThat(refusal(head("GET", path, token(Caller.of(role)), null)).kind())
                    .as(path)
                    .isEqualTo(ProblemKind.FORBIDDEN);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/rollback", "/checkpoints", "/nothing", "/actuator/prometheus", "/putParameter"})
    void shouldLetTheOperatorDoEverything(String path) {
        assertThat(guard.authorize(head("POST", path, token(Caller.of(Role.OPERATOR)), "anybody")))
                .contains(Caller.of(Role.OPERATOR));
    }

    @Test
    void shouldLetAWorkerPutAFirstParameterSetOnly() {
        String token = token(Caller.worker("w"));

        assertThat(guard.authorize(new Guard.Head("PUT", "/putParameter", true, token, null, OWN)))
                .contains(Caller.worker("w"));
        RequestRefused refused = refusal(new Guard.Head("PUT", "/putParameter", false, token, null, OWN));
        assertThat(refused.kind()).isEqualTo(ProblemKind.FORBIDDEN);
        assertThat(refused.detail())
                .isEqualTo("the role worker may not PUT /putParameter; it may GET /getParameter,"
                        + " GET /getVersion, GET /history, GET /stagedGradients, GET /status, POST /completeShard,"
                        + " POST /nextShard, POST /passStep, POST /putGradient, POST /settleGradient,"
                        + " POST /unregisterWorker, PUT /putParameter with If-None-Match: *");
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"WORKER", "READER", "EVALUATOR"})
    void shouldNotLetATokenSpeakForAnotherWorker(Role role) {
        Caller caller = role == Role.WORKER ? Caller.worker("a") : Caller.of(role);

        RequestRefused refused = refusal(head("GET", "/getVersion", token(caller), "b"));
        assertThat(refused.kind()).isEqualTo(ProblemKind.FORBIDDEN);
        assertThat(refused.detail())
                .isEqualTo("the token belongs to %s and is not valid for worker 'b'".formatted(caller.describe()));
        assertThat(guard.authorize(head("GET", "/getVersion", token(Caller.worker("b")), "b")))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bearer ", "BEARER ", "Bearer  "})
    void shouldIgnoreTheCaseOfTheScheme(String scheme) {
        String token = tokens.issue(Caller.of(Role.READER)).text();

        assertThat(guard.authorize(head("GET", "/status", scheme + token, null)))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic dzpz", "Bearer", "Token x", ""})
    void shouldTakeAnotherSchemeForNoToken(String authorization) {
        assertUnauthenticated(
                authorization,
                "the request has no token: send 'Authorization: Bearer <token>' with a token of POST /issueToken",
                "Bearer realm=\"fleetgrad\"");
    }

    @Test
    void shouldTellAnExpiredTokenFromAnInvalidOne() {
        String token = token(Caller.of(Role.READER));
        clock.advance(Duration.ofMinutes(1));

        for (String[] wrong : new String[][] {
            {token, "the token expired at " + clock.instant()},
            {"Bearer x", "the token is invalid: this server did not issue it"}
        }) {
            assertUnauthenticated(
                    wrong[0],
                    wrong[1],
                    "Bearer realm=\"fleetgrad\", error=\"invalid_token\", error_description=\"%s\""
                            .formatted(wrong[1]));
        }
    }

    @Test
    void shouldTakeAHeadForTheGetThatItStandsFor() {
        String reader = token(Caller.of(Role.READER));

        assertThat(guard.authorize(head("HEAD", "/status", reader, null))).isPresent();
        assertThat(guard.authorize(head("HEAD", "/actuator/health", null, null)))
                .isEmpty();
        assertThat(refusal(head("HEAD", "/putGradient", reader, null)).kind()).isEqualTo(ProblemKind.FORBIDDEN);
    }

    @Test
    void shouldLetEverybodyDoEverythingWithoutKeys() {
        assertThat(new Guard(PsRoutes.TABLE, Optional.empty(), rates).authorize(head("PUT", "/anything", null, "w")))
                .contains(Caller.ANONYMOUS);
    }

    @Test
    void shouldNotRepeatControlCharactersOfTheRequest() {
        RequestRefused refused = refusal(head("GET", "/a\u001b[31m\n", token(Caller.of(Role.READER)), null));

        assertThat(refused.kind()).isEqualTo(ProblemKind.FORBIDDEN);
        assertThat(refused.detail()).doesNotContain("\u001b", "\n");
    }

    private RequestRefused refusal(Guard.Head head) {
        return catchThrowableOfType(RequestRefused.class, () -> guard.authorize(head));
    }

    private void assertUnauthenticated(String authorization, String detail, String challenge) {
        RequestRefused refused = refusal(head("GET", "/status", authorization, null));

        assertThat(refused.kind()).isEqualTo(ProblemKind.UNAUTHENTICATED);
        assertThat(refused.detail()).isEqualTo(detail);
        assertThat(refused.headers()).containsExactly(Map.entry("WWW-Authenticate", challenge));
    }

    private String token(Caller caller) {
        return "Bearer " + tokens.issue(caller).text();
    }

    private static Guard.Head head(
            String method, String path, @Nullable String authorization, @Nullable String worker) {
        return new Guard.Head(method, path, false, authorization, worker, OWN);
    }
}

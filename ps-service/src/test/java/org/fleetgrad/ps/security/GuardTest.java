package org.fleetgrad.ps.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Decision;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.TokenKey;
import org.fleetgrad.access.Tokens;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.access.rate.Rates.RateLimits;
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

        assertThat(guard.decide(head(method, path, null, "w"))).isEqualTo(new Decision.Open());
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
        assertThat(guard.decide(head(method, path, null, null))).isInstanceOf(Decision.Unauthenticated.class);
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
            assertThat(guard.decide(head("GET", path, token(Caller.of(role)), null)))
                    .as(path)
                    .isInstanceOf(Decision.Forbidden.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/rollback", "/checkpoints", "/nothing", "/actuator/prometheus", "/putParameter"})
    void shouldLetTheOperatorDoEverything(String path) {
        assertThat(guard.decide(head("POST", path, token(Caller.of(Role.OPERATOR)), "anybody")))
                .isEqualTo(new Decision.Granted(Caller.of(Role.OPERATOR)));
    }

    @Test
    void shouldLetAWorkerPutAFirstParameterSetOnly() {
        String token = token(Caller.worker("w"));

        assertThat(guard.decide(new Guard.Head("PUT", "/putParameter", true, token, null, OWN)))
                .isEqualTo(new Decision.Granted(Caller.worker("w")));
        assertThat(guard.decide(new Guard.Head("PUT", "/putParameter", false, token, null, OWN)))
                .isEqualTo(new Decision.Forbidden("the role worker may not PUT /putParameter; it may GET /getParameter,"
                        + " GET /getVersion, GET /history, GET /stagedGradients, GET /status, POST /completeShard,"
                        + " POST /nextShard, POST /passStep, POST /putGradient, POST /settleGradient,"
                        + " POST /unregisterWorker, PUT /putParameter with If-None-Match: *"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"WORKER", "READER", "EVALUATOR"})
    void shouldNotLetATokenSpeakForAnotherWorker(Role role) {
        Caller caller = role == Role.WORKER ? Caller.worker("a") : Caller.of(role);

        assertThat(guard.decide(head("GET", "/getVersion", token(caller), "b")))
                .isEqualTo(new Decision.Forbidden(
                        "the token belongs to %s and is not valid for worker 'b'".formatted(caller.describe())));
        assertThat(guard.decide(head("GET", "/getVersion", token(Caller.worker("b")), "b")))
                .isInstanceOf(Decision.Granted.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bearer ", "BEARER ", "Bearer  "})
    void shouldIgnoreTheCaseOfTheScheme(String scheme) {
        String token = tokens.issue(Caller.of(Role.READER)).text();

        assertThat(guard.decide(head("GET", "/status", scheme + token, null))).isInstanceOf(Decision.Granted.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic dzpz", "Bearer", "Token x", ""})
    void shouldTakeAnotherSchemeForNoToken(String authorization) {
        assertThat(guard.decide(head("GET", "/status", authorization, null)))
                .isEqualTo(new Decision.Unauthenticated(
                        "the request has no token: send 'Authorization: Bearer <token>' with a token of POST /issueToken",
                        false));
    }

    @Test
    void shouldTellAnExpiredTokenFromAnInvalidOne() {
        String token = token(Caller.of(Role.READER));
        clock.advance(Duration.ofMinutes(1));

        assertThat(guard.decide(head("GET", "/status", token, null)))
                .isEqualTo(new Decision.Unauthenticated("the token expired at " + clock.instant(), true));
        assertThat(guard.decide(head("GET", "/status", "Bearer x", null)))
                .isEqualTo(new Decision.Unauthenticated("the token is invalid: this server did not issue it", true));
    }

    @Test
    void shouldTakeAHeadForTheGetThatItStandsFor() {
        String reader = token(Caller.of(Role.READER));

        assertThat(guard.decide(head("HEAD", "/status", reader, null))).isInstanceOf(Decision.Granted.class);
        assertThat(guard.decide(head("HEAD", "/actuator/health", null, null))).isEqualTo(new Decision.Open());
        assertThat(guard.decide(head("HEAD", "/putGradient", reader, null))).isInstanceOf(Decision.Forbidden.class);
    }

    @Test
    void shouldLetEverybodyDoEverythingWithoutKeys() {
        assertThat(new Guard(PsRoutes.TABLE, Optional.empty(), rates).decide(head("PUT", "/anything", null, "w")))
                .isEqualTo(new Decision.Granted(Caller.ANONYMOUS));
    }

    @Test
    void shouldNotRepeatControlCharactersOfTheRequest() {
        Decision decision = guard.decide(head("GET", "/a\u001b[31m\n", token(Caller.of(Role.READER)), null));

        assertThat(((Decision.Forbidden) decision).detail()).doesNotContain("\u001b", "\n");
    }

    private String token(Caller caller) {
        return "Bearer " + tokens.issue(caller).text();
    }

    private static Guard.Head head(
            String method, String path, @Nullable String authorization, @Nullable String worker) {
        return new Guard.Head(method, path, false, authorization, worker, OWN);
    }
}

package org.fleetgrad.ps.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.web.SecuredService;
import org.fleetgrad.web.SecurityProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import tools.jackson.databind.JsonNode;

/** A client that calls too often, or guesses keys, must wait. A trusted proxy's header represents other machines' clients. */
class RateContractTest {

    /** The clock does not advance: however long the requests take, no quota is refilled. */
    @Configuration
    static class Beans {
        @Bean
        @Primary
        Rates standingRates(SecurityProperties settings) {
            return settings.rates("ps.security", () -> 0);
        }
    }

    private static SecuredService secured;
    private static RunningService service;

    @BeforeAll
    static void start() {
        secured = SecuredService.startWith(
                Beans.class,
                "server.forward-headers-strategy=native",
                "ps.security.requests-per-second=1",
                "ps.security.failures-per-minute=5");
        service = secured.service();
    }

    @AfterAll
    static void stop() {
        secured.close();
    }

    @Test
    void shouldLookAtNoMoreKeysOfAnAddressThatGuesses() {
        List<Integer> guesses = IntStream.range(0, 8)
                .map(i -> service.send(from("203.0.113.1", keys("guess-" + i))).statusCode())
                .boxed()
                .toList();

        assertThat(guesses).containsExactly(401, 401, 401, 401, 401, 429, 429, 429);
        HttpResponse<byte[]> limited = service.send(from("203.0.113.1", keys(SecuredService.secret(Role.READER))));
        assertThat(limited.statusCode()).as("also with the right keys").isEqualTo(429);
        assertThat(limited.headers().firstValue("Retry-After")).contains("12");
        JsonNode problem = RunningService.body(limited);
        assertThat(problem.path("type").asString())
                .isEqualTo("urn:fleetgrad:problem:" + ProblemKind.TOO_MANY_REQUESTS.rule());
        assertThat(problem.path("detail").asString())
                .startsWith("more than 5 wrong keys or tokens a minute came from this address: retry in");
        assertThat(service.send(from("203.0.113.2", keys(SecuredService.secret(Role.READER))))
                        .statusCode())
                .as("another address")
                .isEqualTo(200);
    }

    @Test
    void shouldTakeAValidTokenFromAnAddressWhereOthersGuess() {
        String token = secured.token(Role.READER, null);
        List<Integer> guesses = IntStream.range(0, 8)
                .map(i -> service.send(
                                from("203.0.113.3", SecuredService.with("no-token-" + i, service.get(Routes.STATUS))))
                        .statusCode())
                .boxed()
                .toList();

        assertThat(guesses).containsExactly(401, 401, 401, 401, 401, 429, 429, 429);
        assertThat(service.send(from("203.0.113.3", SecuredService.with(token, service.get(Routes.STATUS))))
                        .statusCode())
                .isEqualTo(200);
        assertThat(service.send(from("203.0.113.3", service.get("/actuator/health/liveness")))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldGiveTheNextTokenToWhoeverHasOneWhileOthersGuessThere() {
        String token = secured.token(Role.READER, null);
        IntStream.range(0, 8).forEach(i -> service.send(from("203.0.113.5", keys("guess-" + i))));
        HttpRequest.Builder right = keys(SecuredService.secret(Role.READER));

        assertThat(service.send(from("203.0.113.5", SecuredService.with(token, right)))
                        .statusCode())
                .isEqualTo(200);
        List<Integer> guesses = IntStream.range(0, 8)
                .map(i -> service.send(from("203.0.113.5", SecuredService.with(token, keys("guess-" + i))))
                        .statusCode())
                .boxed()
                .toList();
        assertThat(guesses).as("who has a token may not guess either").contains(429);
    }

    @Test
    void shouldMakeATokenWaitThatAsksTooOften() {
        String token = secured.token(Role.EVALUATOR, null);

        HttpResponse<byte[]> limited = IntStream.range(0, 100)
                .mapToObj(i ->
                        service.send(from("203.0.113.4", SecuredService.with(token, service.get(Routes.STATUS)))))
                .filter(response -> response.statusCode() != 200)
                .findFirst()
                .orElseThrow();

        assertThat(limited.statusCode()).isEqualTo(429);
        assertThat(limited.headers().firstValue("Retry-After")).contains("1");
        assertThat(RunningService.body(limited).path("detail").asString())
                .isEqualTo("the token makes more than 1 requests a second: retry in 1 s");
    }

    @Test
    void shouldNotLimitCallersOfThisMachine() {
        String token = secured.token(Role.READER, null);

        assertThat(IntStream.range(0, 20).map(i -> service.send(keys("guess")).statusCode()))
                .containsOnly(401);
        assertThat(IntStream.range(0, 20)
                        .map(i -> service.send(SecuredService.with(token, service.get(Routes.STATUS)))
                                .statusCode()))
                .containsOnly(200);
    }

    private static HttpRequest.Builder keys(String secret) {
        return service.json(Routes.ISSUE_TOKEN, "{\"accessKey\":\"reader\",\"secretKey\":\"%s\"}".formatted(secret));
    }

    private static HttpRequest.Builder from(String address, HttpRequest.Builder request) {
        return request.header("X-Forwarded-For", address);
    }
}

package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.access.Role;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.testing.OpenApiContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every role on every documented route, over HTTP. */
class RolesContractTest {

    private static final SecuredService SECURED = SecuredService.start();
    private static final RunningService SERVICE = SECURED.service();
    private static final String INITIAL = "PUT /putParameter If-None-Match: *";

    /** The first letters of the roles that may: Worker, Reader, Evaluator, Operator; * for every caller. */
    private static final String TABLE = """
            POST /registerWorker                *
            POST /issueToken                    *
            POST /unregisterWorker              W  O
            GET /getVersion                     WREO
            GET /getParameter                   WREO
            PUT /putParameter If-None-Match: *  W  O
            PUT /putParameter                      O
            POST /putGradient                   W  O
            POST /settleGradient                W  O
            GET /stagedGradients                W  O
            POST /passStep                      W  O
            POST /nextShard                     W  O
            POST /completeShard                 W  O
            PUT /putWork                           O
            POST /addWork                          O
            POST /rollback                         O
            GET /getAccuracy                     REO
            POST /putAccuracy                     EO
            PUT /putBest                          EO
            GET /events                          REO
            GET /status                         WREO
            GET /history                        WREO
            GET /earlierRuns                     REO
            GET /                               *
            GET /assets/{name}                  *
            GET /actuator/health                *
            GET /actuator/health/liveness       *
            GET /actuator/health/readiness      *
            GET /actuator/prometheus             REO
            """;

    /** Which roles may use paths that the contract does not have. */
    private static final Map<String, String> UNDOCUMENTED = Map.of(
            "GET /checkpoints", "O",
            "GET /nothing", "O",
            "DELETE /getVersion", "O",
            "GET /putGradient", "O");

    private static final Map<Role, String> TOKENS = Arrays.stream(Role.values())
            .collect(Collectors.toMap(role -> role, role -> SECURED.token(role, role == Role.WORKER ? "w" : null)));

    @AfterAll
    static void stop() {
        SECURED.close();
    }

    private static Stream<Map.Entry<String, String>> rows() {
        return TABLE.lines().map(line -> Map.entry(line.substring(0, 36).strip(), line.substring(36)));
    }

    static Stream<Arguments> matrix() {
        return Stream.concat(rows(), UNDOCUMENTED.entrySet().stream())
                .flatMap(row -> Arrays.stream(Role.values())
                        .map(role -> Arguments.of(
                                role,
                                row.getKey(),
                                row.getValue().startsWith("*")
                                        || row.getValue().contains(role.name().substring(0, 1)))));
    }

    @Test
    void shouldDecideAboutEveryDocumentedOperation() {
        Set<String> decided = rows().map(Map.Entry::getKey)
                .filter(row -> !row.equals(INITIAL))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(decided).isEqualTo(OpenApiContract.load().operations("ps-service"));
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void shouldLetARoleDoWhatItMayAndNothingElse(Role role, String operation, boolean may) throws IOException {
        HttpRequest.Builder request = SecuredService.with(Objects.requireNonNull(TOKENS.get(role)), request(operation));
        if (may && operation.equals("GET /events")) {
            // Its response has no end.
            HttpResponse<InputStream> stream = SERVICE.stream(request);
            stream.body().close();
            assertThat(stream.statusCode()).isEqualTo(200);
            return;
        }
        HttpResponse<byte[]> answer = SERVICE.send(request);
        if (may) {
            assertThat(answer.statusCode()).isNotIn(401, 403);
        } else {
            JsonNode problem = RunningService.body(answer);
            assertThat(answer.statusCode()).as(problem.toString()).isEqualTo(403);
            assertThat(problem.get("type").asString())
                    .isEqualTo("urn:fleetgrad:problem:" + ProblemKind.FORBIDDEN.rule());
            assertThat(problem.get("detail").asString())
                    .startsWith("the role %s may not ".formatted(role.label()))
                    .contains("; it may GET /");
        }
    }

    static List<Arguments> guarded() {
        return matrix().filter(row -> row.get()[0] == Role.READER)
                .map(row -> (String) row.get()[1])
                .filter(operation -> !TABLE.contains(operation + " ")
                        || rows().noneMatch(row ->
                                row.getKey().equals(operation) && row.getValue().startsWith("*")))
                .map(Arguments::of)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("guarded")
    void shouldAskACallerWithoutATokenForOne(String operation) {
        HttpResponse<byte[]> answer = SERVICE.send(request(operation));

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"fleetgrad\"");
        assertThat(RunningService.body(answer).get("detail").asString()).startsWith("the request has no token: ");
    }

    private static HttpRequest.Builder request(String operation) {
        String[] parts = operation.replace("{name}", "fleetgrad.css").split(" ", 3);
        @Nullable
        String body = switch (parts[1]) {
            case Routes.REGISTER_WORKER, Routes.ISSUE_TOKEN -> "{%s}".formatted(SecuredService.keys(Role.WORKER));
            case Routes.UNREGISTER_WORKER -> "{\"id\":\"w\"}";
            case Routes.PUT_ACCURACY -> "{}";
            default -> null;
        };
        HttpRequest.Builder request = body == null
                ? SERVICE.get(parts[1]).method(parts[0], BodyPublishers.noBody())
                : SERVICE.json(parts[1], body);
        return operation.equals(INITIAL) ? request.header("If-None-Match", "*") : request;
    }
}

package org.fleetgrad.inference.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
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
import org.fleetgrad.inference.SecuredInference;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import tools.jackson.databind.JsonNode;

/** Every role on every route, over HTTP. */
class InferenceRolesTest {

    private static final SecuredInference SERVICE = SecuredInference.start();

    /** The first letters of the roles that may: Worker, Reader, Evaluator, Operator; * for every caller. */
    private static final String TABLE = """
            POST /issueToken                     *
            POST /predict                         REO
            POST /feedback                        REO
            GET /feedback                         REO
            GET /shadow                           REO
            POST /v1/completions                  REO
            GET /v1/models                        REO
            GET /v1/models/lenet5                 REO
            GET /status                           REO
            GET /evaluation                       REO
            GET /policy                           REO
            PUT /policy                              O
            GET /v2                               REO
            GET /v2/health/live                  *
            GET /v2/health/ready                 *
            GET /v2/models/lenet5                 REO
            GET /v2/models/lenet5/versions/3      REO
            GET /v2/models/lenet5/ready           REO
            POST /v2/models/lenet5/infer          REO
            GET /v2/models/stats                  REO
            POST /v2/repository/index             REO
            POST /v2/repository/models/x/load        O
            GET /                                *
            GET /assets/try-it.js                *
            GET /actuator/health                 *
            GET /actuator/health/liveness        *
            GET /actuator/health/readiness       *
            GET /actuator/prometheus              REO
            GET /nothing                             O
            GET /predict                             O
            DELETE /status                           O
            """;

    private static final Map<Role, String> TOKENS =
            Arrays.stream(Role.values()).collect(Collectors.toMap(role -> role, SERVICE::token));

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    private static Stream<Map.Entry<String, String>> rows() {
        return TABLE.lines().map(line -> Map.entry(line.substring(0, 36).strip(), line.substring(36)));
    }

    private static boolean isOpen(Map.Entry<String, String> row) {
        return row.getValue().contains("*");
    }

    static List<Arguments> matrix() {
        return rows().flatMap(row -> Arrays.stream(Role.values())
                        .map(role -> Arguments.of(
                                role,
                                row.getKey(),
                                isOpen(row)
                                        || row.getValue().contains(role.name().substring(0, 1)))))
                .toList();
    }

    static List<Arguments> guarded() {
        return rows().filter(row -> !isOpen(row))
                .map(row -> Arguments.of(row.getKey()))
                .toList();
    }

    @Test
    void shouldDecideAboutEveryDocumentedOperation() {
        assertDecided(OpenApiContract.load().operations("inference-api"));
    }

    /** A route that is added without a decision would silently be allowed only for the operator. */
    @Test
    void shouldHaveARowForEveryRouteThatSpringServes() {
        Set<String> served = new TreeSet<>();
        SERVICE.context().getBeansOfType(RequestMappingInfoHandlerMapping.class).values().stream()
                .flatMap(mapping -> mapping.getHandlerMethods().keySet().stream())
                .forEach(route -> route.getPatternValues()
                        .forEach(path -> route.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> served.add(method + " " + path))));

        assertThat(served).contains("POST /predict", "GET /status", "GET /actuator/prometheus");
        assertDecided(served);
    }

    private static void assertDecided(Set<String> routes) {
        assertThat(routes).isNotEmpty().allSatisfy(route -> {
            String[] parts = example(route).split(" ", 2);
            assertThat(InferenceRoutes.TABLE.decides(parts[0], parts[1]))
                    .as(route)
                    .isTrue();
        });
    }

    /** Fills the variables of a path. */
    private static String example(String route) {
        return route.replace("{version}", "3").replaceAll("\\{[^}]*}", "lenet5").replace("/**", "");
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void shouldLetARoleDoWhatItMayAndNothingElse(Role role, String operation, boolean may) {
        HttpRequest.Builder request = SecuredInference.with(Objects.requireNonNull(TOKENS.get(role)), of(operation));
        if (may) {
            assertThat(SERVICE.send(request).statusCode()).isNotIn(401, 403);
            return;
        }
        JsonNode problem = SERVICE.refused(request, 403, ProblemKind.FORBIDDEN.rule());
        assertThat(problem.get("detail").asString())
                .startsWith("the role %s may not ".formatted(role.label()))
                .contains("; it may ");
    }

    @ParameterizedTest
    @MethodSource("guarded")
    void shouldAskACallerWithoutATokenForOne(String operation) {
        HttpResponse<byte[]> answer = SERVICE.send(of(operation));

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"fleetgrad\"");
        assertThat(SecuredInference.body(answer).get("detail").asString())
                .isEqualTo("the request has no token: send 'Authorization: Bearer <token>' with a token of POST "
                        + Routes.ISSUE_TOKEN);
    }

    private static HttpRequest.Builder of(String operation) {
        String[] parts = operation.split(" ", 2);
        return parts[1].equals(Routes.ISSUE_TOKEN)
                ? SERVICE.json(parts[1], "{%s}".formatted(SecuredInference.keys(Role.READER)))
                : SERVICE.request(parts[0], parts[1]);
    }
}

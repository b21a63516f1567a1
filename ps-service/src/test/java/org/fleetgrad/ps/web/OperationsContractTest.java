package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The endpoints for operators and their tools, and those that must not exist. */
class OperationsContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};
    private static final RunningService SERVICE = RunningService.start(
                    "ps.optimizer=adam", "ps.learning-rate=0.25", "ps.schedule=step:every=600000")
            .startingAt(ONES)
            .withWorkers("a");

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    @Test
    void shouldTellItsState() {
        SERVICE.send(SERVICE.push("a", 1, SERVICE.version(), ONES));

        JsonNode status = RunningService.body(SERVICE.send(SERVICE.get(Routes.STATUS)));

        assertThat(status.get("generation").asString()).isEqualTo(SERVICE.generation());
        assertThat(status.get("version").asLong()).isEqualTo(SERVICE.version());
        assertThat(status.get("initialized").asBoolean()).isTrue();
        assertThat(status.get("tensors").asInt()).isEqualTo(2);
        assertThat(status.get("parameters").asLong()).isEqualTo(6);
        assertThat(status.get("mode").asString()).isEqualTo("async");
        assertThat(status.get("synchronous").asBoolean()).isFalse();
        assertThat(status.get("optimizer").asString()).startsWith("adam");
        assertThat(status.get("learningRate").asDouble()).isEqualTo(0.25);
        assertThat(status.get("loss").asDouble()).isEqualTo(0.25);
        assertThat(status.get("pushes").get("applied").asLong()).isPositive();
        JsonNode worker = status.get("workers").get(0);
        assertThat(worker.get("id").asString()).isEqualTo("a");
        assertThat(worker.get("device").asString()).isEqualTo("cpu");
        assertThat(worker.get("description").asString()).isEmpty();
        assertThat(worker.get("sequence").asLong()).isEqualTo(1);
        assertThat(worker.get("leaseMs").asLong()).isBetween(1L, 600_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"})
    void shouldBeHealthy(String path) {
        HttpResponse<byte[]> answer = SERVICE.send(SERVICE.get(path));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(RunningService.body(answer).get("status").asString()).isEqualTo("UP");
    }

    @Test
    void shouldCountForPrometheus() {
        SERVICE.send(SERVICE.push("a", 2, SERVICE.version(), ONES));
        SERVICE.refused(SERVICE.push("nobody", 1, 0, ONES), 409, ProblemKind.UNKNOWN_WORKER.rule());

        String metrics =
                new String(SERVICE.send(SERVICE.get("/actuator/prometheus")).body(), StandardCharsets.UTF_8);

        assertThat(metrics.lines())
                .anyMatch(line -> line.matches("ps_push_seconds_count\\{outcome=\"applied\"} [1-9].*"))
                .anyMatch(line -> line.matches("ps_push_seconds_count\\{outcome=\"unknown-worker\"} 1"))
                .contains("ps_parameters_version " + (double) SERVICE.version(), "ps_workers_active 1.0")
                .anyMatch(line -> line.startsWith("ps_staleness_steps_count "))
                .anyMatch(line -> line.startsWith("ps_step_gradients_count "))
                .anyMatch(line -> line.startsWith("ps_samples "))
                .anyMatch(line -> line.matches("ps_work_(waiting|held) 0.0"))
                .anyMatch(line -> line.startsWith("ps_workers_wanted "))
                .contains("ps_workers_added_rate NaN")
                .anyMatch(line -> line.startsWith("ps_queue_depth "));
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/nothing",
        "GET,/webjars/uplot/1.6.30/dist/uPlot.iife.min.js",
        "POST,/nothing",
        "PUT,/nothing",
        "DELETE,/a/b",
        "GET,/getVersion/",
        "GET,/getversion",
        "GET,/actuator/env",
        "GET,/actuator/shutdown",
        "POST,/actuator/shutdown"
    })
    void shouldAnswerThatAPathIsNotThere(String method, String path) {
        JsonNode problem = SERVICE.refused(
                SERVICE.get(path).method(method, BodyPublishers.noBody()), 404, ProblemKind.NOT_FOUND.rule());

        assertThat(problem.get("title").asString()).isEqualTo("There is no such path");
        assertThat(problem.get("detail").asString()).isEqualTo("there is no path '%s'".formatted(path));
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/registerWorker,POST", "PUT,/unregisterWorker,POST", "POST,/getVersion,GET", "DELETE,/getParameter,GET",
        "POST,/putParameter,PUT", "GET,/putParameter,PUT", "GET,/putGradient,POST", "PUT,/putGradient,POST",
        "POST,/getAccuracy,GET", "GET,/putAccuracy,POST", "POST,/events,GET", "DELETE,/status,GET",
        "TRACE,/status,GET", "TRACE,/registerWorker,POST", "TRACE,/putGradient,POST", "TRACE,/actuator/health,GET"
    })
    void shouldAnswerWhichMethodsAPathKnows(String method, String path, String allowed) {
        HttpResponse<byte[]> answer = SERVICE.send(SERVICE.get(path).method(method, BodyPublishers.noBody()));

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow").orElse("")).contains(allowed);
        assertThat(RunningService.body(answer).get("type").asString())
                .isEqualTo("urn:fleetgrad:problem:" + ProblemKind.METHOD_NOT_ALLOWED.rule());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/status", "/getAccuracy", "/events"})
    void shouldRefuseAClientThatAcceptsNothingOfIt(String path) {
        SERVICE.refused(SERVICE.get(path).header("Accept", "image/png"), 406, ProblemKind.NOT_ACCEPTABLE.rule());
    }

    /** A multipart body would be parsed, and written to the disk, before any route sees it. */
    @ParameterizedTest
    @CsvSource({"GET,/status,200", "POST,/registerWorker,415", "PUT,/putWork,415", "POST,/putGradient,415"})
    void shouldReadNoBodyOfParts(String method, String path, int status) {
        HttpResponse<byte[]> answer = SERVICE.send(SERVICE.get(path)
                .header("Content-Type", "multipart/form-data")
                .method(method, method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("--x")));

        assertThat(answer.statusCode()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"b\",\"deadlin\":1}",
                "{\"id\":7}",
                "{\"id\":true}",
                "{\"id\":\"b\",\"deadline\":\"4102444800000\"}",
                "{\"id\":\"b\",\"deadline\":4102444800000.5}",
                "[]"
            })
    void shouldRefuseARequestThatIsNotOfItsSchema(String body) {
        SERVICE.refused(SERVICE.json(Routes.REGISTER_WORKER, body), 400, ProblemKind.MALFORMED.rule());
    }

    @Test
    void shouldNameAMemberThatTheRequestDoesNotHave() {
        JsonNode problem = SERVICE.refused(
                SERVICE.json(Routes.UNREGISTER_WORKER, "{\"id\":\"b\",\"worker\":1}"),
                400,
                ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("the request has no member 'worker'; its members are [id]");
    }

    /** Jackson's and Spring's messages name classes, methods and settings of this program. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[]",
                "[[]]",
                "7",
                "\"text\"",
                "null",
                "nul",
                "NaN",
                "{\"id\":NaN}",
                "{\"id\":7}",
                "{\"id\":[]}",
                "{\"id\":{}}",
                "{\"id\":'b'}",
                "{id:1}",
                "{\"id\":\"b\",}",
                "{\"id\":\"b\"} trailing",
                "{\"id\":\"\\u12\"}",
                "{\"id\":\"b\",\"deadline\":\"soon\"}",
                "{\"id\":\"b\",\"deadline\":1e400}",
                "{\"id\":\"b\",\"deadline\":99999999999999999999}",
                "{\"id\":\"b\",\"org.fleetgrad.ps.Secret$Inner\":1}",
                "// comment"
            })
    void shouldSayWhatIsWrongWithoutNamesOfThisProgram(String body) {
        for (String route : List.of(Routes.REGISTER_WORKER, Routes.PUT_ACCURACY, Routes.ROLLBACK)) {
            HttpResponse<byte[]> answer = SERVICE.send(SERVICE.json(route, body));
            if (answer.statusCode() == 200) {
                continue;
            }
            String detail = RunningService.body(answer).get("detail").asString();
            assertThat(answer.statusCode())
                    .as("%s to %s: %s", body, route, detail)
                    .isEqualTo(400);
            assertThat(detail.replace("org.fleetgrad.ps.Secret$Inner", ""))
                    .as("%s to %s", body, route)
                    .isNotBlank()
                    .doesNotContainPattern(
                            "org\\.fleetgrad|java\\.|jackson|springframework|[A-Z]+_[A-Z]+|[`$]|Coercion|Exception");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "{\"id\":7}|'id' must be a text; it is a number",
                "{\"id\":[]}|'id' must be a text; it is a list",
                "{\"id\":\"b\",\"deadline\":\"soon\"}|'deadline' must be a whole number; it is a text",
                "[]|the body must be an object; it is something else",
                "!!|the request has no body; it must be a JSON object",
                "{|the body is not JSON: line 1, column 2"
            })
    void shouldNameMemberRuleAndValue(String body, String detail) {
        JsonNode problem =
                SERVICE.refused(SERVICE.json(Routes.REGISTER_WORKER, body), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString()).startsWith(detail);
    }

    @Test
    void shouldRefuseAShardThatIsNull() {
        SERVICE.refused(
                SERVICE.json(Routes.PUT_WORK, "").PUT(BodyPublishers.ofString("{\"dataset\":\"d\",\"shards\":[null]}")),
                400,
                ProblemKind.MALFORMED.rule());
    }

    @Test
    void shouldAnswerWhatJettyRefusesAsAProblem() {
        JsonNode problem = SERVICE.refused(SERVICE.get("/assets/a%1Cb"), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("title").asString()).isEqualTo("The request is malformed");
        assertThat(problem.get("detail").asString()).isEqualTo("the request is refused: Suspicious Path Character");
    }
}

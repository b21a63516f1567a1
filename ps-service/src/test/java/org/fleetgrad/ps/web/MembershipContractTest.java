package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.membership.Worker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class MembershipContractTest {

    private static final RunningService SERVICE = RunningService.start("ps.lease=20m");

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    @Test
    void shouldGrantALeaseToANamedWorker() {
        JsonNode reply = RunningService.body(SERVICE.send(SERVICE.json(Routes.REGISTER_WORKER, """
                {"id":"named.worker:1_a-b","description":"LeNet on shard 3","device":"gpu0","deadline":4000000000000}""")));

        assertThat(reply.get("id").asString()).isEqualTo("named.worker:1_a-b");
        assertThat(reply.get("leaseMs").asLong()).isEqualTo(1_200_000);
        assertThat(reply.get("generation").asString()).isEqualTo(SERVICE.generation());
        assertThat(reply.get("version").asLong()).isZero();
        assertThat(reply.get("sequence").asLong()).isZero();
        JsonNode workers =
                RunningService.body(SERVICE.send(SERVICE.get(Routes.STATUS))).get("workers");
        assertThat(workers).anySatisfy(worker -> {
            assertThat(worker.get("id").asString()).isEqualTo("named.worker:1_a-b");
            assertThat(worker.get("description").asString()).isEqualTo("LeNet on shard 3");
            assertThat(worker.get("device").asString()).isEqualTo("gpu0");
        });
    }

    @Test
    void shouldDrawIdsForWorkersThatBringNone() {
        String one = registeredId("{}");
        String other = registeredId("{\"description\":\"no id\"}");

        assertThat(one).startsWith("worker-").isNotEqualTo(other);
        assertThat(SERVICE.bean(Leases.class).liveIds()).contains(one, other);
    }

    @Test
    void shouldRefuseAnIdThatIsTaken() {
        SERVICE.withWorkers("taken");

        JsonNode problem = SERVICE.refused(
                SERVICE.json(Routes.REGISTER_WORKER, "{\"id\":\"taken\"}"), 409, ProblemKind.WORKER_EXISTS.rule());

        assertThat(problem.get("worker").asString()).isEqualTo("taken");
        assertThat(problem.get("sequence").asLong()).as("no push yet").isZero();
        assertThat(problem.get("detail").asString())
                .matches("worker 'taken' is registered for another \\d+ ms, and longer if it renews its lease");
    }

    @Test
    void shouldUnregisterOnce() {
        SERVICE.withWorkers("leaving");

        JsonNode reply =
                RunningService.body(SERVICE.send(SERVICE.json(Routes.UNREGISTER_WORKER, "{\"id\":\"leaving\"}")));
        assertThat(reply.get("id").asString()).isEqualTo("leaving");
        JsonNode problem = SERVICE.refused(
                SERVICE.json(Routes.UNREGISTER_WORKER, "{\"id\":\"leaving\"}"), 409, ProblemKind.UNKNOWN_WORKER.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("worker 'leaving' is not registered, or its lease of 1200000 ms ran out");
        SERVICE.withWorkers("leaving");
    }

    @Test
    void shouldRenewTheLeaseOfTheWorkerThatARequestNames() {
        SERVICE.withWorkers("quiet", "heard");
        Worker quiet = worker("quiet");
        Worker heard = worker("heard");

        SERVICE.send(SERVICE.get(Routes.GET_VERSION).header(HeaderNames.WORKER, "heard"));
        SERVICE.send(SERVICE.get(Routes.GET_VERSION).header(HeaderNames.WORKER, "nobody"));

        assertThat(worker("heard").leaseEnd()).isAfter(heard.leaseEnd());
        assertThat(worker("quiet")).isEqualTo(quiet);
        assertThat(SERVICE.bean(Leases.class).isLive("nobody")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b"})
    void shouldRefuseARequestOfAWorkerThatCannotBe(String id) {
        SERVICE.refused(
                SERVICE.get(Routes.GET_VERSION).header(HeaderNames.WORKER, id),
                400,
                ProblemKind.INVALID_PARAMETER.rule());
        SERVICE.refused(
                SERVICE.get(Routes.STATUS).header(HeaderNames.WORKER, id), 400, ProblemKind.INVALID_PARAMETER.rule());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "null", "[]", "7", "\"a\"", "{\"id\":{}}", "{\"deadline\":\"soon\"}"})
    void shouldRefuseWhatIsNoRegistration(String body) {
        SERVICE.refused(SERVICE.json(Routes.REGISTER_WORKER, body), 400, ProblemKind.MALFORMED.rule());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "ü", "a\\n"})
    void shouldRefuseAnIdOfOtherCharacters(String id) {
        String body = "{\"id\":\"%s\"}".formatted(id);

        SERVICE.refused(SERVICE.json(Routes.REGISTER_WORKER, body), 400, ProblemKind.MALFORMED.rule());
        SERVICE.refused(SERVICE.json(Routes.UNREGISTER_WORKER, body), 400, ProblemKind.MALFORMED.rule());
    }

    @Test
    void shouldRefuseTextsThatAreTooLong() {
        JsonNode id = SERVICE.refused(
                SERVICE.json(Routes.REGISTER_WORKER, "{\"id\":\"%s\"}".formatted("a".repeat(129))),
                400,
                ProblemKind.MALFORMED.rule());
        assertThat(id.get("detail").asString())
                .isEqualTo("a worker's id has 1 to 128 letters, digits, '.', '_', ':' or '-'; this has 129 characters");

        JsonNode description = SERVICE.refused(
                SERVICE.json(Routes.REGISTER_WORKER, "{\"description\":\"%s\"}".formatted("a".repeat(1025))),
                400,
                ProblemKind.MALFORMED.rule());
        assertThat(description.get("detail").asString())
                .isEqualTo("'description' has 1025 characters, accepted are 1024");
    }

    @Test
    void shouldListWhereAWorkerAnswersPredictions() {
        SERVICE.send(
                SERVICE.json(Routes.REGISTER_WORKER, "{\"id\":\"serving\",\"address\":\"http://10.0.0.7:29700\"}"));
        SERVICE.withWorkers("silent");

        JsonNode workers =
                RunningService.body(SERVICE.send(SERVICE.get(Routes.STATUS))).get("workers");

        assertThat(workers)
                .anySatisfy(worker -> {
                    assertThat(worker.get("id").asString()).isEqualTo("serving");
                    assertThat(worker.get("address").asString()).isEqualTo("http://10.0.0.7:29700");
                })
                .anySatisfy(worker -> {
                    assertThat(worker.get("id").asString()).isEqualTo("silent");
                    assertThat(worker.has("address")).isFalse();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.7:29700", "ftp://a/", "http://", "file:///etc/passwd", "http://user:pw@a:1"})
    void shouldRefuseAnAddressThatIsNoPlainUrl(String address) {
        JsonNode problem = SERVICE.refused(
                SERVICE.json(Routes.REGISTER_WORKER, "{\"id\":\"astray\",\"address\":\"%s\"}".formatted(address)),
                400,
                ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo(
                        "'address' must be an http or https address without user, query and fragment, such as http://10.0.0.7:29700; it is '%s'",
                        address.replace("user:pw", "[hidden]"));
        assertThat(SERVICE.bean(Leases.class).isLive("astray")).isFalse();
    }

    @Test
    void shouldRefuseAnAddressThatIsTooLong() {
        JsonNode problem = SERVICE.refused(
                SERVICE.json(Routes.REGISTER_WORKER, "{\"address\":\"http://%s\"}".formatted("a".repeat(194))),
                400,
                ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString()).isEqualTo("'address' has 201 characters, accepted are 200");
    }

    @Test
    void shouldRefuseToUnregisterNobody() {
        JsonNode problem =
                SERVICE.refused(SERVICE.json(Routes.UNREGISTER_WORKER, "{}"), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString()).isEqualTo("the request lacks 'id'");
    }

    @ParameterizedTest
    @ValueSource(strings = {Routes.REGISTER_WORKER, Routes.UNREGISTER_WORKER})
    void shouldRefuseAnotherMediaType(String route) {
        SERVICE.refused(
                SERVICE.json(route, "{\"id\":\"a\"}").setHeader("Content-Type", "text/plain"),
                415,
                ProblemKind.UNSUPPORTED_MEDIA_TYPE.rule());
    }

    private static String registeredId(String request) {
        return RunningService.body(SERVICE.send(SERVICE.json(Routes.REGISTER_WORKER, request)))
                .get("id")
                .asString();
    }

    private static Worker worker(String id) {
        return SERVICE.bean(Leases.class).live().stream()
                .filter(worker -> worker.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}

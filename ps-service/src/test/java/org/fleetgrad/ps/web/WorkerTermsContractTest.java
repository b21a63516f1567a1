package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.ManualClockBean;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Deadlines, and the workers' momentum under look-ahead-slim. */
@Timeout(60)
class WorkerTermsContractTest {

    private static final RunningService SERVICE = start();

    private static RunningService start() {
        RunningService service =
                RunningService.startWith(ManualClockBean.class, "ps.mode=sync", "ps.lease=30s", "ps.learning-rate=0.5");
        return service.startingAt(0, 0, 0, 0, 0, 0);
    }

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    private static HttpResponse<byte[]> register(String id, Instant deadline) {
        return SERVICE.send(SERVICE.json(
                Routes.REGISTER_WORKER, "{\"id\":\"%s\",\"deadline\":%d}".formatted(id, deadline.toEpochMilli())));
    }

    private static JsonNode status() {
        return RunningService.body(SERVICE.send(SERVICE.get(Routes.STATUS)));
    }

    @Test
    void shouldSayThatTheRunIsSynchronous() {
        Instant deadline = SERVICE.bean(ManualClock.class).instant().plusSeconds(10);

        JsonNode granted = RunningService.body(register("told", deadline));

        assertThat(granted.get("synchronous").asBoolean()).isTrue();
        SERVICE.send(SERVICE.json(Routes.UNREGISTER_WORKER, "{\"id\":\"told\"}"));
    }

    @Test
    void shouldEndALeaseAtTheDeadlineHoweverOftenItIsRenewed() {
        ManualClock clock = SERVICE.bean(ManualClock.class);
        assertThat(register("short", clock.instant().plusSeconds(40)).statusCode())
                .isEqualTo(200);
        clock.advance(Duration.ofSeconds(20));
        SERVICE.send(SERVICE.get(Routes.GET_VERSION).header("X-Worker", "short"));
        assertThat(status().get("workers").get(0).get("leaseMs").asLong()).isEqualTo(20_000);

        clock.advance(Duration.ofSeconds(20));

        assertThat(status().get("workers")).isEmpty();
        JsonNode problem = SERVICE.refused(
                SERVICE.push("short", 1, SERVICE.version(), 1, 1, 1, 1, 1, 1), 409, ProblemKind.UNKNOWN_WORKER.rule());
        assertThat(problem.get("detail").asString())
                .isEqualTo("worker 'short' is not registered, or its lease of 30000 ms ran out");
        assertThat(register("short", clock.instant().plusSeconds(10)).statusCode())
                .as("its next activation")
                .isEqualTo(200);
        SERVICE.send(SERVICE.json(Routes.UNREGISTER_WORKER, "{\"id\":\"short\"}"));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, -3_600_000})
    void shouldRefuseADeadlineThatIsOver(long plusMs) {
        Instant now = SERVICE.bean(ManualClock.class).instant();
        Instant deadline = now.plusMillis(plusMs);

        JsonNode problem = SERVICE.refused(
                SERVICE.json(Routes.REGISTER_WORKER, "{\"deadline\":%d}".formatted(deadline.toEpochMilli())),
                400,
                ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo("the deadline is %s, and it is %s here: a worker whose time is over cannot register"
                        .formatted(deadline, now));
        assertThat(status().get("workers")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\udc00x", "a\\ud83d"})
    void shouldRefuseTextThatIsNoUnicode(String text) {
        for (String name : new String[] {"description", "device"}) {
            JsonNode problem = SERVICE.refused(
                    SERVICE.json(Routes.REGISTER_WORKER, "{\"%s\":\"%s\"}".formatted(name, text)),
                    400,
                    ProblemKind.MALFORMED.rule());
            assertThat(problem.get("detail").asString())
                    .isEqualTo("'%s' has half of a surrogate pair, which is no character".formatted(name));
        }
        // A description that cannot be serialized would fail this for every caller.
        assertThat(status().get("workers")).isEmpty();
    }

    @Test
    void shouldTellWorkersTheMomentumThatTheyAreToKeepAndTheirLocalSteps() {
        JsonNode plain = RunningService.body(SERVICE.send(SERVICE.json(Routes.REGISTER_WORKER, "{\"id\":\"plain\"}")));
        assertThat(plain.get("workerMomentum").asDouble()).isZero();
        assertThat(plain.has("localSteps")).isFalse();
        SERVICE.send(SERVICE.json(Routes.UNREGISTER_WORKER, "{\"id\":\"plain\"}"));

        try (RunningService slim = RunningService.start(
                "ps.staleness=look-ahead-slim",
                "ps.optimizer=sgd:momentum=0.9",
                "ps.local.steps=8",
                "ps.local.learning-rate=0.002")) {
            JsonNode reply = RunningService.body(slim.send(slim.json(Routes.REGISTER_WORKER, "{}")));
            assertThat(reply.get("localSteps").toString())
                    .isEqualTo("{\"steps\":8,\"optimizer\":\"adamw\",\"learningRate\":0.002}");
            assertThat(reply.get("workerMomentum").asDouble())
                    .as("as it was set")
                    .isEqualTo(0.9);
            JsonNode status = RunningService.body(slim.send(slim.get(Routes.STATUS)));
            assertThat(status.get("staleness").asString()).isEqualTo("look-ahead-slim");
            assertThat(status.get("durability").asString()).isEqualTo("none");
        }
    }

    /** A server with an outer learning rate of 1 would step by a gradient as far as it is long. */
    @Test
    void shouldTakeLocalStepsOnlyInARunThatMakesThem() {
        try (RunningService local = RunningService.start("ps.local.steps=8").startingAt(0, 0, 0, 0, 0, 0)) {
            local.send(local.json(Routes.REGISTER_WORKER, "{\"id\":\"a\"}"));

            assertThat(detail(local, local.push("a", 1, 0, 1, 1, 1, 1, 1, 1)))
                    .contains("lack 'localSteps', as those of 1 step do", "make up to 8 steps");
            assertThat(detail(local, steps(local, 9, 16)))
                    .contains("from 1 to the run's 8 (ps.local.steps); it is '9'");
            assertThat(local.version()).as("of a run that took none of them").isZero();
            assertThat(local.send(steps(local, 8, 16)).statusCode()).isEqualTo(200);
        }
        try (RunningService plain = RunningService.start().startingAt(0, 0, 0, 0, 0, 0)) {
            plain.send(plain.json(Routes.REGISTER_WORKER, "{\"id\":\"a\"}"));

            assertThat(detail(plain, steps(plain, 8, 16)))
                    .contains("have 'localSteps' 8", "make 1 step between two pushes");
            assertThat(plain.send(plain.push("a", 1, 0, 1, 1, 1, 1, 1, 1)).statusCode())
                    .isEqualTo(200);
        }
    }

    private static String detail(RunningService service, HttpRequest.Builder push) {
        return service.refused(push, 400, ProblemKind.MALFORMED.rule())
                .get("detail")
                .asString();
    }

    private static HttpRequest.Builder steps(RunningService service, int steps, int samples) {
        Map<String, String> metadata = new GradientMetadata(
                        "a",
                        1,
                        service.generation(),
                        0,
                        samples,
                        0.5,
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalDouble.empty(),
                        OptionalLong.of(steps))
                .toMap();
        return service.tensors("POST", Routes.PUT_GRADIENT, Tensors.gradient(metadata, 1, 1, 1, 1, 1, 1));
    }
}

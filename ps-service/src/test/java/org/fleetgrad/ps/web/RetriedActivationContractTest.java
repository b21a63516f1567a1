package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A platform that retries an activation after its container died. Each gradient is six ones, so a value counts them. */
class RetriedActivationContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};
    private static final String WORK =
            "{\"dataset\":\"d\",\"epochs\":1,\"shards\":[{\"name\":\"s0\",\"url\":\"http://x/s0\",\"samples\":12}]}";

    private final RunningService service =
            RunningService.start("ps.learning-rate=1").startingAt(0, 0, 0, 0, 0, 0);

    @AfterEach
    void stop() {
        service.close();
    }

    private static String registration(String activation) {
        return "{\"id\":\"w\",\"activation\":\"%s\"}".formatted(activation);
    }

    private JsonNode register(String activation) {
        return RunningService.body(service.send(service.json(Routes.REGISTER_WORKER, registration(activation))));
    }

    /** Pushes the gradient of the next four samples of the only shard. */
    private JsonNode push(long sequence, long base, int reached) {
        Map<String, String> metadata = new HashMap<>(Tensors.metadata("w", sequence, service.generation(), base));
        metadata.put("cursor", "0/0/" + reached);
        return RunningService.body(
                service.send(service.tensors("POST", Routes.PUT_GRADIENT, Tensors.gradient(metadata, ONES))));
    }

    private long sampleOfNextShard() {
        return RunningService.body(service.send(service.json(Routes.NEXT_SHARD, "{\"worker\":\"w\"}")))
                .get("sample")
                .asLong();
    }

    @Test
    void shouldCountEachGradientOnceWhenTheSameActivationComesAgain() {
        service.send(service.json(Routes.PUT_WORK, WORK).method("PUT", BodyPublishers.ofString(WORK)));
        assertThat(register("a1").has("earlierMs")).isFalse();
        assertThat(sampleOfNextShard()).isZero();
        assertThat(push(1, 0, 4).get("outcome").asString()).isEqualTo("applied");

        JsonNode again = register("a1");

        assertThat(again.get("code").asInt()).isEqualTo(200);
        assertThat(again.get("sequence").asLong()).isEqualTo(1);
        assertThat(again.get("earlierMs").asLong()).isNotNegative();
        assertThat(sampleOfNextShard())
                .as("it goes on after the last gradient that counted")
                .isEqualTo(4);
        assertThat(push(1, 0, 4).get("outcome").asString())
                .as("a late copy of what the first try pushed")
                .isEqualTo("duplicate");
        assertThat(push(2, 1, 8).get("outcome").asString()).isEqualTo("applied");
        assertThat(push(2, 1, 8).get("outcome").asString())
                .as("the first try, still alive, pushes the same samples")
                .isEqualTo("duplicate");
        assertThat(push(3, 2, 12).get("outcome").asString()).isEqualTo("applied");
        assertThat(service.values()).as("three gradients count").containsOnly(-3);
        JsonNode status = RunningService.body(service.send(service.get(Routes.STATUS)));
        assertThat(status.get("samples").asLong()).isEqualTo(12);
        assertThat(status.path("work").path("samples").asLong()).isEqualTo(12);
        assertThat(status.get("workers")).hasSize(1);
    }

    @Test
    void shouldKeepAnotherActivationAndAWorkerThatIsNoneOutWhileTheLeaseRuns() {
        register("a1");

        service.refused(
                service.json(Routes.REGISTER_WORKER, registration("a2")), 409, ProblemKind.WORKER_EXISTS.rule());
        service.refused(service.json(Routes.REGISTER_WORKER, "{\"id\":\"w\"}"), 409, ProblemKind.WORKER_EXISTS.rule());
    }

    @Test
    void shouldNotTakeTheAbsenceOfAnIdForTheSameId() {
        service.withWorkers("w");

        service.refused(
                service.json(Routes.REGISTER_WORKER, registration("a1")), 409, ProblemKind.WORKER_EXISTS.rule());
    }

    @Test
    void shouldRefuseAnIdOfOtherCharacters() {
        JsonNode problem = service.refused(
                service.json(Routes.REGISTER_WORKER, registration("a 1")), 400, ProblemKind.MALFORMED.rule());

        assertThat(problem.get("detail").asString())
                .isEqualTo(
                        "an activation's id has 1 to 128 letters, digits, '.', '_', ':' or '-'; this has 3 characters");
    }
}

package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class RollbackContractTest {

    private static final float[] TWOS = {2, 2, 2, 2, 2, 2};

    @TempDir
    private static Path folder;

    private static final class Kept {
        private static final RunningService SERVICE = start("kept").startingAt(TWOS);
    }

    private static RunningService start(String name) {
        return RunningService.start(
                "ps.durability.mode=Journal",
                "ps.durability.location=" + folder.resolve(name),
                "ps.learning-rate=0.5",
                "ps.staleness=damped");
    }

    @AfterAll
    static void stop() {
        Kept.SERVICE.close();
    }

    @Test
    void shouldGoBackInANewGenerationAndComeBackThere() {
        String after;
        try (RunningService service = start("run").startingAt(0, 0, 0, 0, 0, 0).withWorkers("a")) {
            String before = service.generation();
            service.send(service.push("a", 1, 0, TWOS));
            assertThat(service.values()).containsOnly(-1);

            HttpResponse<byte[]> answer = service.send(service.json(Routes.ROLLBACK, "{\"checkpoint\":1}"));

            JsonNode reply = RunningService.body(answer);
            assertThat(answer.statusCode()).isEqualTo(200);
            after = service.generation();
            assertThat(reply.get("generation").asString()).isEqualTo(after).isNotEqualTo(before);
            assertThat(reply.get("version").asLong()).isZero();
            assertThat(reply.get("checkpoint").asLong()).isEqualTo(1);
            assertThat(service.values()).containsOnly(0);
            JsonNode marked = RunningService.body(service.send(service.get(Routes.HISTORY)))
                    .get("rollbacks");
            assertThat(marked).hasSize(1);
            assertThat(marked.get(0).get("from").asLong()).isEqualTo(1);
            assertThat(marked.get(0).get("version").asLong()).isZero();
            assertThat(service.send(service.push("a", 2, 0, TWOS)).statusCode()).isEqualTo(200);
        }

        try (RunningService service = start("run")) {
            assertThat(service.generation()).isEqualTo(after);
            assertThat(service.version()).isEqualTo(1);
            assertThat(service.values()).containsOnly(-1);
            JsonNode status = RunningService.body(service.send(service.get(Routes.STATUS)));
            assertThat(status.get("durability").asString()).isEqualTo("journal");
            assertThat(status.get("staleness").asString()).isEqualTo("damped");
            assertThat(status.get("workers").get(0).get("id").asString()).isEqualTo("a");
            assertThat(status.get("samples").asLong())
                    .as("those before the checkpoint and since, without those undone")
                    .isEqualTo(4);
        }
    }

    @Test
    void shouldRefuseACheckpointThatIsNotThere() {
        RunningService service = Kept.SERVICE;
        JsonNode problem = service.refused(
                service.json(Routes.ROLLBACK, "{\"checkpoint\":99}"), 409, ProblemKind.NO_CHECKPOINT.rule());
        assertThat(problem.get("detail").asString())
                .startsWith("checkpoint-000099: no such checkpoint in ")
                .endsWith("; there are 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{}", "[]", "{\"checkpoint\":null}", "{\"checkpoint\":\"newest\"}", "{\"checkpoint\":{}}"})
    void shouldRefuseWhatNamesNoCheckpoint(String body) {
        RunningService service = Kept.SERVICE;
        service.refused(service.json(Routes.ROLLBACK, body), 400, ProblemKind.MALFORMED.rule());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "9223372036854775807"})
    void shouldRefuseNumbersThatNoCheckpointHas(String number) {
        RunningService service = Kept.SERVICE;
        service.refused(
                service.json(Routes.ROLLBACK, "{\"checkpoint\":%s}".formatted(number)),
                409,
                ProblemKind.NO_CHECKPOINT.rule());
    }

    @Test
    void shouldSayThatNoneAreTakenWithoutDurability() {
        try (RunningService plain = RunningService.start().startingAt(TWOS)) {
            JsonNode problem = plain.refused(
                    plain.json(Routes.ROLLBACK, "{\"checkpoint\":1}"), 409, ProblemKind.NO_CHECKPOINT.rule());

            assertThat(problem.get("detail").asString())
                    .isEqualTo("checkpoint 1: no checkpoints are taken: ps.durability.mode is none");
        }
    }
}

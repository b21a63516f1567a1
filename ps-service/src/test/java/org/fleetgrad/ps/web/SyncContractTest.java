package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The barrier of synchronous training, seen by clients. */
@Timeout(60)
class SyncContractTest {

    private final RunningService service = RunningService.start("ps.mode=sync", "ps.learning-rate=0.5")
            .startingAt(0, 0, 0, 0, 0, 0)
            .withWorkers("a", "b");

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void shouldBufferUntilAllHavePushedAndRefuseWhatComesLate() {
        HttpResponse<byte[]> first = service.send(service.push("?pull=true", "a", 1, 0, 2, 2, 2, 2, 2, 2));
        assertReply(first, 202, "buffered", 0);
        JsonNode twice =
                service.refused(service.push("a", 2, 0, 2, 2, 2, 2, 2, 2), 409, ProblemKind.STALE_GRADIENT.rule());
        assertThat(twice.get("detail").asString())
                .isEqualTo("worker 'a' has already pushed for version 0: wait for the next");
        HttpResponse<byte[]> again = service.send(service.push("?pull=true", "a", 1, 0, 2, 2, 2, 2, 2, 2));
        assertReply(again, 200, "duplicate", 0);
        assertThat(RunningService.body(again).get("first").asString()).isEqualTo("buffered");
        JsonNode status = RunningService.body(service.send(service.get(Routes.STATUS)));
        assertThat(status.get("buffered").asInt()).isEqualTo(1);
        assertThat(status.get("mode").asString()).isEqualTo("sync");
        assertThat(status.get("synchronous").asBoolean()).isTrue();

        HttpResponse<byte[]> last = service.send(service.push("b", 1, 0, 4, 4, 4, 4, 4, 4));

        JsonNode applied = RunningService.body(last);
        assertThat(applied.get("outcome").asString()).isEqualTo("applied");
        assertThat(applied.get("version").asLong()).isEqualTo(1);
        assertThat(applied.get("awaitNext").asBoolean()).isFalse();
        assertThat(service.values()).containsOnly(-1.5f);
        JsonNode stale =
                service.refused(service.push("a", 2, 0, 2, 2, 2, 2, 2, 2), 409, ProblemKind.STALE_GRADIENT.rule());
        assertThat(stale.get("detail").asString())
                .isEqualTo("the gradient's base version is 0, synchronous training takes 1 only: pull and go on");
    }

    @Test
    void shouldReleaseWaitingWorkersWhenTheOthersLeave() {
        service.send(service.push("a", 1, 0, 2, 2, 2, 2, 2, 2));
        HttpRequest.Builder poll = service.get(Routes.GET_PARAMETER + "?after=0&waitMs=40000");
        CompletableFuture<HttpResponse<byte[]>> waiting = CompletableFuture.supplyAsync(() -> service.send(poll));

        service.send(service.json(Routes.UNREGISTER_WORKER, "{\"id\":\"b\"}"));

        assertThat(waiting.join().statusCode()).isEqualTo(200);
        assertThat(service.values()).containsOnly(-1);
    }

    @Test
    void shouldReleaseWaitingWorkersWhenTheOthersPass() {
        service.send(service.push("a", 1, 0, 2, 2, 2, 2, 2, 2));
        String pass = "{\"worker\":\"b\",\"generation\":\"%s\",\"version\":0}".formatted(service.generation());

        HttpResponse<byte[]> answer = service.send(service.json(Routes.PASS_STEP, pass));

        assertThat(RunningService.body(answer).get("version").asLong()).isEqualTo(1);
        assertThat(service.values()).containsOnly(-1);
    }

    @Test
    void shouldSayWhatIsWrongWithAPass() {
        service.refused(
                service.json(Routes.PASS_STEP, "{\"worker\":\"no\",\"generation\":\"g\",\"version\":0}"),
                409,
                ProblemKind.UNKNOWN_WORKER.rule());
        JsonNode lacking = service.refused(
                service.json(Routes.PASS_STEP, "{\"worker\":\"b\",\"generation\":\"g\"}"),
                400,
                ProblemKind.MALFORMED.rule());
        assertThat(lacking.get("detail").asString()).isEqualTo("the request lacks 'version'");
        service.refused(
                service.json(Routes.PASS_STEP, "{\"worker\":\"b\",\"generation\":\"g\",\"version\":-1}"),
                400,
                ProblemKind.MALFORMED.rule());
    }

    private static void assertReply(HttpResponse<byte[]> answer, int status, String outcome, long version) {
        JsonNode reply = RunningService.body(answer);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(reply.get("outcome").asString()).isEqualTo(outcome);
        assertThat(reply.get("version").asLong()).isEqualTo(version);
        assertThat(reply.get("staleness").asLong()).isZero();
        assertThat(reply.get("awaitNext").asBoolean()).isTrue();
    }
}

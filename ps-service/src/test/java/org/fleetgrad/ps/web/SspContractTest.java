package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A worker that is too far ahead waits for the others on /getParameter. */
@Timeout(60)
class SspContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    private final RunningService service = RunningService.start("ps.mode=ssp:max-lead=0", "ps.learning-rate=0.5")
            .startingAt(0, 0, 0, 0, 0, 0)
            .withWorkers("a", "b");

    @AfterEach
    void stop() {
        service.close();
    }

    private CompletableFuture<HttpResponse<byte[]>> poll(String worker, String query) {
        HttpRequest.Builder request = service.get(Routes.GET_PARAMETER + query).header(HeaderNames.WORKER, worker);
        return CompletableFuture.supplyAsync(() -> service.send(request));
    }

    private void awaitWaiting() {
        PublishedParameters published = service.bean(PublishedParameters.class);
        Awaitility.await().until(() -> published.waiting() == 1);
    }

    @Test
    void shouldTellWhoIsAheadToWaitAndLetItGoOnWithTheOthers() {
        HttpResponse<byte[]> ahead = service.send(service.push("?pull=true", "a", 1, 0, ONES));
        JsonNode reply = RunningService.body(ahead);
        assertThat(ahead.statusCode()).isEqualTo(200);
        assertThat(reply.get("outcome").asString()).isEqualTo("applied");
        assertThat(reply.get("awaitNext").asBoolean())
                .as("in place of the parameters")
                .isTrue();
        JsonNode problem = service.refused(service.push("a", 2, 1, ONES), 409, ProblemKind.TOO_FAR_AHEAD.rule());
        assertThat(problem.get("detail").asString())
                .isEqualTo("worker 'a' is 1 iterations ahead of the slowest, 0 are allowed: wait for the next version");
        assertThat(poll("a", "?after=0&waitMs=50").join().statusCode()).isEqualTo(304);
        assertThat(poll("a", "?after=0").join().statusCode())
                .as("no wait was asked for")
                .isEqualTo(304);
        assertThat(poll("b", "?after=0&waitMs=50").join().statusCode()).isEqualTo(200);
        CompletableFuture<HttpResponse<byte[]>> waiting = poll("a", "?after=0&waitMs=50000");
        awaitWaiting();

        HttpResponse<byte[]> slowest = service.send(service.push("?pull=true", "b", 1, 0, ONES));

        assertThat(RunningService.decoded(slowest).metadata()).containsEntry("version", "2");
        assertThat(waiting.join().headers().firstValueAsLong("X-Version")).hasValue(2);
        HttpResponse<byte[]> again = service.send(service.push("?pull=true", "a", 1, 0, ONES));
        assertThat(again.headers().firstValue("X-Outcome")).contains("duplicate");
    }

    @Test
    void shouldWakeThoseAheadWhenTheSlowestLeaves() {
        service.send(service.push("a", 1, 0, ONES));
        CompletableFuture<HttpResponse<byte[]>> waiting = poll("a", "?after=0&waitMs=50000");
        awaitWaiting();

        service.send(service.json(Routes.UNREGISTER_WORKER, "{\"id\":\"b\"}"));

        assertThat(waiting.join().statusCode()).isEqualTo(200);
        assertThat(waiting.join().headers().firstValueAsLong("X-Version")).hasValue(1);
        assertThat(service.send(service.push("a", 2, 1, ONES)).statusCode()).isEqualTo(200);
    }
}

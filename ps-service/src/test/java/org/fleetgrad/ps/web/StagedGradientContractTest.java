package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.membership.Leases;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Gradients that are staged until a worker relays the lead's decision. */
class StagedGradientContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    private final RunningService service = RunningService.start("ps.learning-rate=0.5")
            .startingAt(0, 0, 0, 0, 0, 0)
            .withWorkers("a", "b");

    @AfterEach
    void stop() {
        service.close();
    }

    private HttpResponse<byte[]> stage(String worker, long sequence) {
        return service.send(service.push("?stage=true", worker, sequence, 0, ONES));
    }

    private HttpResponse<byte[]> settle(String query) {
        return service.send(service.json(Routes.SETTLE_GRADIENT + query, ""));
    }

    private static String outcome(HttpResponse<byte[]> answer) {
        return RunningService.body(answer).get("outcome").asString();
    }

    private List<String> staged(String query) {
        JsonNode list = RunningService.body(service.send(service.get(Routes.STAGED_GRADIENTS + query)))
                .get("staged");
        return list.valueStream().map(each -> each.get("worker").asString()).toList();
    }

    @Test
    void shouldApplyAStagedGradientOnceWhenItIsSettled() {
        HttpResponse<byte[]> kept = stage("a", 1);
        assertThat(kept.statusCode()).isEqualTo(202);
        assertThat(outcome(kept)).isEqualTo("staged");
        assertThat(outcome(stage("a", 1))).as("the same again").isEqualTo("staged");
        assertThat(service.values()).containsOnly(0f);

        assertThat(outcome(settle("?worker=a&sequence=1&as=counted"))).isEqualTo("applied");
        HttpResponse<byte[]> again = settle("?worker=a&sequence=1&as=counted&pull=true");
        assertThat(again.headers().firstValue(HeaderNames.OUTCOME)).contains("duplicate");
        assertThat(outcome(stage("a", 1))).isEqualTo("duplicate");
        assertThat(outcome(settle("?worker=a&sequence=1&as=dropped")))
                .as("what counts cannot be given up")
                .isEqualTo("duplicate");
        assertThat(service.values()).containsOnly(-0.5f);
    }

    @Test
    void shouldStageOneGradientOfAWorker() {
        stage("a", 1);

        JsonNode problem = service.refused(
                service.push("?stage=true", "a", 2, 0, ONES), 409, ProblemKind.UNSETTLED_GRADIENT.rule());

        assertThat(problem.get("detail").asString()).contains("sequence 2").contains("sequence 1 is staged");
        assertThat(staged("?worker=a")).containsExactly("a");
        assertThat(staged("")).as("those of workers that are gone").isEmpty();
        service.bean(Leases.class).unregister("a");
        assertThat(staged("")).containsExactly("a");
    }

    @Test
    void shouldRefuseWhatWasGivenUp() {
        stage("a", 1);

        assertThat(outcome(settle("?worker=a&sequence=1&as=dropped"))).isEqualTo("dropped");

        service.refused(service.push("?stage=true", "a", 1, 0, ONES), 409, ProblemKind.DROPPED_GRADIENT.rule());
        service.refused(service.push("a", 1, 0, ONES), 409, ProblemKind.DROPPED_GRADIENT.rule());
        assertThat(staged("?worker=a")).isEmpty();
        assertThat(service.values()).containsOnly(0f);
    }

    @Test
    void shouldSayWhatBecameOfAPushAndGiveUpThoseOfWorkersThatAreGone() {
        service.send(service.push("a", 1, 0, ONES));
        assertThat(outcome(settle("?worker=a&sequence=1&as=asked"))).isEqualTo("duplicate");
        assertThat(outcome(settle("?worker=b&sequence=7&as=asked")))
                .as("it may still come")
                .isEqualTo("open");

        service.bean(Leases.class).unregister("b");

        assertThat(outcome(settle("?worker=b&sequence=7&as=asked"))).isEqualTo("dropped");
        service.withWorkers("b");
        service.refused(service.push("b", 7, 0, ONES), 409, ProblemKind.DROPPED_GRADIENT.rule());
    }

    @Test
    void shouldSayWhatIsWrongWithASettlement() {
        service.refused(
                service.json(Routes.SETTLE_GRADIENT + "?worker=a&sequence=1&as=counted", ""),
                409,
                ProblemKind.UNKNOWN_GRADIENT.rule());
        for (String query : List.of(
                "?worker=a&sequence=0&as=asked",
                "?worker=a&sequence=9007199254740993&as=asked",
                "?worker=a&sequence=1&as=maybe",
                "?worker=a&sequence=1",
                "?sequence=1&as=asked")) {
            service.refused(
                    service.json(Routes.SETTLE_GRADIENT + query, ""), 400, ProblemKind.INVALID_PARAMETER.rule());
        }
    }
}

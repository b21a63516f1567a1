package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Pushes that are taken. */
class GradientContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    private final RunningService service = RunningService.start("ps.learning-rate=0.5")
            .startingAt(0, 0, 0, 0, 0, 0)
            .withWorkers("a", "b");

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void shouldApplyAGradient() {
        HttpResponse<byte[]> answer = service.send(service.push("a", 1, 0, 2, 4, 6, 8, 10, 12));

        assertReply(answer, 200, "applied", 1, 0);
        assertThat(answer.headers().firstValue("X-Outcome")).isEmpty();
        assertThat(service.version()).isEqualTo(1);
        assertThat(service.values()).containsExactly(-1, -2, -3, -4, -5, -6);
    }

    @Test
    void shouldSayHowStaleAGradientWas() {
        service.send(service.push("a", 1, 0, ONES));
        service.send(service.push("a", 2, 1, ONES));

        assertReply(service.send(service.push("b", 1, 0, ONES)), 200, "applied", 3, 2);
        JsonNode status = RunningService.body(service.send(service.get(Routes.STATUS)));
        assertThat(status.get("worstStaleness").asLong()).isEqualTo(2);
        assertThat(status.get("meanStaleness").asDouble()).isEqualTo(2.0 / 3);
    }

    @Test
    void shouldAnswerAPushWithTheNewParametersIfAsked() {
        service.send(service.push("b", 1, 0, ONES));
        HttpResponse<byte[]> answer = service.send(service.push("?pull=true", "a", 1, 0, ONES));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains(HeaderNames.SAFETENSORS);
        assertThat(answer.headers().firstValue("X-Outcome")).contains("applied");
        assertThat(answer.headers().firstValueAsLong("X-Version")).hasValue(2);
        assertThat(answer.headers().firstValueAsLong("X-Staleness")).hasValue(1);
        assertThat(answer.headers().firstValue("X-Generation")).contains(service.generation());
        assertThat(answer.headers().firstValue("ETag")).contains("\"%s-2\"".formatted(service.generation()));
        assertThat(RunningService.decoded(answer).metadata()).containsEntry("version", "2");
        assertThat(RunningService.decoded(answer).toFloats(Tensors.LAYOUT)).containsOnly(-1);
    }

    @Test
    void shouldAnswerARetriedPushAsTheFirstAndSayThatItIsNone() {
        service.send(service.push("a", 1, 0, ONES));
        service.send(service.push("b", 1, 0, ONES));

        HttpResponse<byte[]> plain = service.send(service.push("?pull=false", "b", 1, 0, ONES));
        assertReply(plain, 200, "duplicate", 2, 1);
        assertThat(RunningService.body(plain).get("first").asString()).isEqualTo("applied");

        HttpResponse<byte[]> pull = service.send(service.push("?pull=true", "a", 1, 0, ONES));
        assertThat(pull.headers().firstValue("X-Outcome")).contains("duplicate");
        assertThat(pull.headers().firstValueAsLong("X-Version")).hasValue(1);
        assertThat(pull.headers().firstValueAsLong("X-Staleness")).hasValue(0);
        assertThat(RunningService.decoded(pull).metadata()).containsEntry("version", "2");
        assertThat(service.values()).containsOnly(-1);
    }

    @Test
    void shouldKnowARetriedPushAfterTheWorkerRegisteredAgain() {
        service.send(service.push("a", 4, 0, ONES));
        service.send(service.json(Routes.UNREGISTER_WORKER, "{\"id\":\"a\"}"));
        JsonNode registered = RunningService.body(service.send(service.json(Routes.REGISTER_WORKER, "{\"id\":\"a\"}")));
        assertThat(registered.get("sequence").asLong()).isEqualTo(4);
        assertThat(registered.get("version").asLong()).isEqualTo(1);

        assertReply(service.send(service.push("a", 4, 0, ONES)), 200, "duplicate", 1, 0);
        assertThat(service.version()).isEqualTo(1);
    }

    @Test
    void shouldTakeTensorsInAnyOrder() {
        TensorLayout order =
                TensorLayout.inOrder(List.of(TensorSpec.f32("fc.weight", 2, 2), TensorSpec.f32("fc.bias", 2)));

        service.send(service.tensors(
                "POST",
                Routes.PUT_GRADIENT,
                Tensors.file(order, Tensors.metadata("a", 1, service.generation(), 0), 6, 8, 10, 12, 2, 4)));

        assertThat(service.values()).containsExactly(-1, -2, -3, -4, -5, -6);
    }

    private static void assertReply(
            HttpResponse<byte[]> answer, int status, String outcome, long version, long staleness) {
        JsonNode reply = RunningService.body(answer);
        assertThat(answer.statusCode()).as(reply.toString()).isEqualTo(status);
        assertThat(reply.get("outcome").asString()).isEqualTo(outcome);
        assertThat(reply.get("version").asLong()).isEqualTo(version);
        assertThat(reply.get("staleness").asLong()).isEqualTo(staleness);
        assertThat(reply.get("awaitNext").asBoolean()).isFalse();
    }
}

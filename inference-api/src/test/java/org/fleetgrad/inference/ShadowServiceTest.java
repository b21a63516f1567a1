package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The shadow over HTTP, with the complete service. */
class ShadowServiceTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The networks themselves are the oracle: both are asked about one image, so they always differ, or never. */
    @Test
    void shouldCompareTheNewestVersionWithTheOneThatAnswers() throws IOException {
        try (FakeParameterServer server = new FakeParameterServer(0).heldTo(CONTRACT);
                RunningService service = RunningService.start(
                        "inference.server=" + server.uri(),
                        "inference.policy=previous",
                        "inference.shadow-share=1",
                        "inference.follow-interval=1ms")) {
            LiveModel model = service.context().getBean(LiveModel.class);
            for (long number = 1; number <= 2; number++) {
                ParameterVersion version = new ParameterVersion("g", number);
                server.publish(version, LeNet.set(version, Map.of()));
                await().atMost(PATIENCE).until(() -> model.versions().contains(version));
            }
            String body = "{\"image\":%s}".formatted(LeNet.json(LeNet.image(1)));

            await().atMost(PATIENCE).until(() -> {
                HttpResponse<byte[]> answer = CONTRACT.send(service.postJson("/predict", body));
                assertThat(read(answer).get("version").asLong()).isEqualTo(1);
                return shadow(service).get("samples").asLong() >= 5;
            });

            JsonNode pair = shadow(service).get("pairs").get(0);
            boolean isOther = best(1) != best(2);
            assertThat(pair.at("/served/version").asLong()).isEqualTo(1);
            assertThat(pair.at("/shadow/version").asLong()).isEqualTo(2);
            assertThat(pair.get("disagreement").asDouble()).isEqualTo(isOther ? 1 : 0);
            assertThat(shadow(service).get("shadowMs").asLong()).isNotNegative();
        }
    }

    private static int best(long version) {
        float[] logits = LeNet.logits(new ParameterVersion("g", version), LeNet.normalized(LeNet.image(1)), 1);
        int best = 0;
        for (int i = 1; i < logits.length; i++) {
            best = logits[i] > logits[best] ? i : best;
        }
        return best;
    }

    private static JsonNode shadow(RunningService service) {
        return read(CONTRACT.send(service.get("/shadow")));
    }

    private static JsonNode read(HttpResponse<byte[]> answer) {
        JsonNode json = JsonMapper.shared().readTree(answer.body());
        assertThat(answer.statusCode()).as(json.toString()).isEqualTo(200);
        return json;
    }
}

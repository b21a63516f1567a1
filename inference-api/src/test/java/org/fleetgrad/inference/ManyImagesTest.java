package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests of megabytes, under the settings that a service has by itself. */
class ManyImagesTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A fifth of MNIST's test set; and a tree of JSON, which takes far more memory than its text. */
    @Test
    void shouldAnswerTwoThousandImagesAndRefuseThemAsATree() throws IOException {
        try (FakeParameterServer server = new FakeParameterServer(0);
                RunningService service = RunningService.start("inference.server=" + server.uri())) {
            ParameterVersion version = new ParameterVersion("g", 1);
            server.publish(version, LeNet.set(version, Map.of()));
            LiveModel model = service.context().getBean(LiveModel.class);
            await().atMost(PATIENCE).until(() -> model.version().isPresent());
            String image = LeNet.json(LeNet.image(7));
            String images = String.join(",", Collections.nCopies(2_000, image));

            JsonNode predictions = JsonMapper.shared()
                    .readTree(CONTRACT.send(service.postJson("/predict", "{\"images\":[%s]}".formatted(images)))
                            .body())
                    .get("predictions");
            HttpResponse<byte[]> tree = CONTRACT.send(
                    service.postJson("/v2/models/fleetgrad/infer", "{\"inputs\":[%s]}".formatted(images)));

            assertThat(predictions.size()).isEqualTo(2_000);
            assertThat(predictions.get(1_999).get("class"))
                    .isEqualTo(predictions.get(0).get("class"));
            assertThat(tree.statusCode()).isEqualTo(413);
            assertThat(new String(tree.body(), StandardCharsets.UTF_8))
                    .contains("the limit is 1048576: send the inputs as binary data, or fewer");
        }
    }
}

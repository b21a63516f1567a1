package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.testing.OpenApiContract;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service with a network for rows of a table, or for series; each exchange is held to the contract. */
final class ServedSchema implements AutoCloseable {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FakeParameterServer server;
    private final RunningService service;

    ServedSchema() throws IOException {
        server = new FakeParameterServer(0);
        service = RunningService.start("inference.server=" + server.uri(), "inference.follow-interval=1ms");
    }

    /** Publishes a network with its initial parameters, and waits until the service answers with it. */
    void serve(String network, RowSchema schema) {
        server.publish(new ParameterVersion("g", 1), SchemaSets.of(network, schema));
        LiveModel model = service.context().getBean(LiveModel.class);
        await().atMost(PATIENCE).until(() -> model.version().isPresent());
    }

    RunningService service() {
        return service;
    }

    HttpResponse<byte[]> send(HttpRequest request) {
        return CONTRACT.send(request);
    }

    /** Returns the JSON of an answer, which must be 200. */
    JsonNode answer(HttpRequest request) {
        HttpResponse<byte[]> response = send(request);
        assertThat(response.statusCode())
                .as(new String(response.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    /** Returns the numbers of an output of the Open Inference Protocol. */
    static double[] output(JsonNode reply, String name) {
        return reply.get("outputs")
                .valueStream()
                .filter(output -> output.get("name").asString().equals(name))
                .flatMap(output -> output.get("data").valueStream())
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    @Override
    public void close() {
        service.close();
        server.close();
    }
}

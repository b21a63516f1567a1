package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Test;

/** The fast path and the slow path of {@code POST /predict}; a request with a query takes the slow one. */
class BothPathsTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String IMAGE = "{\"image\":%s}".formatted(LeNet.json(LeNet.image(1)));
    private static final String BROKEN = "{\"image\":[1]}";

    @Test
    void shouldAnswerTheSameBothWaysAndCountThemTogether() throws IOException {
        try (FakeParameterServer server = new FakeParameterServer(0);
                RunningService service = RunningService.start("inference.server=" + server.uri())) {
            ParameterVersion version = new ParameterVersion("g", 3);
            server.publish(
                    version, LeNet.set(version, Map.of(MetadataKeys.CLASSES, "[\"a \\\"b\\\" \\u00e9\\u4e2d\"]")));
            LiveModel model = service.context().getBean(LiveModel.class);
            await().atMost(PATIENCE).until(() -> model.version().isPresent());

            assertSame(
                    CONTRACT.send(service.postJson("/predict", IMAGE)),
                    CONTRACT.send(service.postJson("/predict?invert=false", IMAGE)));
            assertSame(
                    CONTRACT.send(service.postJson("/predict", BROKEN)),
                    CONTRACT.send(service.postJson("/predict?invert=false", BROKEN)));

            MeterRegistry metrics = service.context().getBean(MeterRegistry.class);
            // Spring counts a request after its response.
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(answered(metrics)).isEqualTo(2));
            assertThat(metrics.get("inference.predict").timer().count()).isEqualTo(4);
        }
    }

    private static long answered(MeterRegistry metrics) {
        return metrics.get("http.server.requests")
                .tags("uri", "/predict", "status", "200")
                .timer()
                .count();
    }

    private static void assertSame(HttpResponse<byte[]> fastPath, HttpResponse<byte[]> slowPath) {
        assertThat(fastPath.statusCode()).isEqualTo(slowPath.statusCode());
        assertThat(withoutId(fastPath)).isEqualTo(withoutId(slowPath));
        assertThat(headers(fastPath)).isEqualTo(headers(slowPath));
    }

    /** An id names one answer, so no two have the same. */
    private static String withoutId(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8)
                .replaceFirst("\"answer\":\"[A-Za-z0-9_-]{20,40}\"", "\"answer\":\"\"");
    }

    /** All headers except the date and the framing of the length. */
    private static Map<String, String> headers(HttpResponse<byte[]> response) {
        return response.headers().map().entrySet().stream()
                .filter(header -> !header.getKey().matches("(?i)date|content-length|transfer-encoding"))
                .collect(Collectors.toMap(Map.Entry::getKey, header -> String.join(",", header.getValue())));
    }
}

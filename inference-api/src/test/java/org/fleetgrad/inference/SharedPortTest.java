package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.protocol.ParameterVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Replicas behind one address, among which the kernel distributes connections. */
@EnabledOnOs(OS.LINUX)
class SharedPortTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CONNECTIONS = 40;

    /** Sends a request over a connection of its own. */
    private static int ask(URI address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(address)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"image\":%s}".formatted(LeNet.json(LeNet.image(1)))))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static long predictions(RunningService service) {
        return service.context().getBean(Predictor.class).images();
    }

    @Test
    void shouldSpreadConnectionsAndLoseNoneToAReplicaThatEnded() throws Exception {
        ParameterVersion version = new ParameterVersion("shared", 4);
        try (FakeParameterServer server = new FakeParameterServer(0).start(4, LeNet.set(version, Map.of()));
                RunningService first =
                        RunningService.start("inference.server=" + server.uri(), "inference.reuse-port=true")) {
            URI address = first.uri("/predict");
            try (RunningService second = RunningService.start(
                    "inference.server=" + server.uri(),
                    "inference.reuse-port=true",
                    "server.port=" + address.getPort())) {
                // Until both have the version, a connection may reach one that has none yet.
                await().atMost(PATIENCE)
                        .until(() -> ask(address) > 0 && predictions(first) > 0 && predictions(second) > 0);
                for (int i = 0; i < CONNECTIONS; i++) {
                    assertThat(ask(address)).isEqualTo(200);
                }
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                assertThat(ask(address)).isEqualTo(200);
            }
        }
    }

    @Test
    void shouldKeepItsPortForItselfUnlessTold() throws Exception {
        try (FakeParameterServer server = new FakeParameterServer(0);
                RunningService first = RunningService.start("inference.server=" + server.uri())) {
            String taken = "server.port=" + first.uri("/").getPort();
            assertThatThrownBy(() -> RunningService.start("inference.server=" + server.uri(), taken))
                    .hasStackTraceContaining("already in use");
        }
    }
}

package org.fleetgrad.runs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EvaluatorStateTest {

    private HttpServer server;
    private String body = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/status", exchange -> {
            try (exchange) {
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void shouldSeeNoObstacleWhileTheServiceGivesNoReason() throws InterruptedException {
        body = "{\"code\":200,\"state\":\"serving\"}";

        assertThat(state().obstacle()).isEmpty();
    }

    @Test
    void shouldTellTheReasonThatTheServiceGives() throws InterruptedException {
        body = "{\"code\":200,\"evaluationDetail\":\"the samples do not fit\",\"detail\":\"other\"}";
        assertThat(state().obstacle()).contains("the samples do not fit");

        body = "{\"code\":200,\"detail\":\"the parameter set g-1 does not fit\"}";
        assertThat(state().obstacle()).contains("the parameter set g-1 does not fit");
    }

    @Test
    void shouldTellThatTheServiceDoesNotAnswer() throws InterruptedException {
        body = "no json";
        assertThat(state().obstacle().orElseThrow()).startsWith("it does not answer: ");

        EvaluatorState state = state();
        server.stop(0);
        assertThat(state.obstacle().orElseThrow()).startsWith("it does not answer: ");
    }

    private EvaluatorState state() {
        return new EvaluatorState(
                URI.create("http://127.0.0.1:%d".formatted(server.getAddress().getPort())), Optional.empty());
    }
}

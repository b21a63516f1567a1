package org.fleetgrad.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenApiOverHttpTest {

    private static final String REPLY = Examples.json("RegisterWorkerReply");

    private final OpenApiContract contract = OpenApiContract.load();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void shouldAnswerWhatWasSentWhenItIsAsDocumented() {
        answer("/registerWorker", "application/json", REPLY);

        assertThat(contract.send(post("{\"id\":\"w\"}")).body()).asString().isEqualTo(REPLY);
    }

    @Test
    void shouldFailWhenAnswerIsNotAsDocumented() {
        answer("/registerWorker", "application/json", REPLY.replace("leaseMs", "lease"));

        assertThatThrownBy(() -> contract.send(post("{\"id\":\"w\"}")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("leaseMs");
    }

    @Test
    void shouldFailWhenRequestBodyIsNotAsDocumented() {
        answer("/registerWorker", "application/json", REPLY);

        assertThatThrownBy(() -> contract.send(post("{\"id\":7}")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("/id");
    }

    @Test
    void shouldHandOutStreamOfEvents() throws IOException {
        answer("/events", "text/event-stream", "event:progress\ndata:{}\n\n");

        try (InputStream events =
                contract.stream(HttpRequest.newBuilder(uri("/events")).build()).body()) {
            assertThat(events.readAllBytes()).asString(StandardCharsets.UTF_8).startsWith("event:progress");
        }
    }

    @Test
    void shouldFailWhenStreamHasAnotherMediaType() {
        answer("/events", "application/json", "{}");

        assertThatThrownBy(() ->
                        contract.stream(HttpRequest.newBuilder(uri("/events")).build()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("application/json");
    }

    @Test
    void shouldSayWhichRequestFailedWhenServerIsAway() {
        server.stop(0);

        assertThatThrownBy(() -> contract.send(post("{}")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("POST %s failed", uri("/registerWorker"));
    }

    private void answer(String path, String mediaType, String body) {
        server.createContext(path, exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().set("Content-Type", mediaType);
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
    }

    private HttpRequest post(String body) {
        return HttpRequest.newBuilder(uri("/registerWorker"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path));
    }
}

package org.fleetgrad.inference.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.access.Role;
import org.fleetgrad.inference.SecuredInference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** More clients stalled in the middle of a body than the server has threads, and then one with a complete request. */
class HalfBodiesTest {

    private static final int CLIENTS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Eight threads that wait for {@link #CLIENTS} silent ones take 25 times 4 s. */
    private static final Duration SOON = Duration.ofSeconds(60);

    private static SecuredInference service;
    private static String reader;

    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void start() {
        service = SecuredInference.start("server.jetty.threads.max=8", "server.jetty.connection-idle-timeout=4s");
        reader = service.token(Role.READER);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void shouldAnswerWhileStrangersStopInTheMiddle() throws Exception {
        begin("");

        assertAnswers();
        assertThat(statusOf(sockets.get(0))).isEqualTo("401");
    }

    @Test
    void shouldAnswerWhileReadersStopInTheMiddle() throws Exception {
        begin("Authorization: Bearer %s\r\n".formatted(reader));

        assertAnswers();
        assertThat(statusOf(sockets.get(0))).isEqualTo("408");
    }

    @Test
    void shouldAnswerWhileStrangersStopInTheMiddleOfTheirKeys() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            send(
                    service.uri(""),
                    "POST /issueToken HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                            + "Content-Length: 1000\r\n\r\n{");
        }

        assertAnswers();
        assertThat(statusOf(sockets.get(0))).isEqualTo("408");
    }

    private void begin(String headers) throws IOException {
        for (int i = 0; i < CLIENTS; i++) {
            send(
                    service.uri(""),
                    "POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\n%sContent-Length: 1000\r\n\r\nhalf"
                            .formatted(headers));
        }
    }

    private void send(URI server, String text) throws IOException {
        Socket socket = new Socket(server.getHost(), server.getPort());
        socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
        sockets.add(socket);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void assertAnswers() throws Exception {
        HttpResponse<Void> answer = HttpClient.newHttpClient()
                .send(
                        SecuredInference.with(reader, service.request("GET", "/status"))
                                .timeout(SOON)
                                .build(),
                        BodyHandlers.discarding());
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    private static String statusOf(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes("HTTP/1.1 401".length()), StandardCharsets.US_ASCII)
                .replaceFirst(".* ", "");
    }
}

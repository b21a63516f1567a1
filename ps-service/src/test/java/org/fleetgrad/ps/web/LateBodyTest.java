package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.testing.FloodOfBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients whose body is still in flight when the server has answered: they see the response, and can continue. */
@Timeout(60)
class LateBodyTest {

    /** 8 MB: more than a socket buffers. */
    private static final int VALUES = 2_000_000;

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", VALUES)));

    private RunningService service;

    @BeforeEach
    void start() throws IOException {
        service = RunningService.start();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/getVersion", "/getParameter"})
    void shouldTakeAnotherRequestAfterABodyThatCameAfterItsAnswer(String path) throws Exception {
        putParameters();
        try (Socket socket = connect()) {
            send(socket, "GET %s HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n".formatted(path));
            assertThat(answer(socket)).startsWith("HTTP/1.1 200 ");
            send(socket, "helloGET /getVersion HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(answer(socket)).startsWith("HTTP/1.1 200 ").contains("\"version\":0");
        }
    }

    @Test
    void shouldShowTheRefusalOfABodyThatItAskedFor() throws Exception {
        putParameters();
        byte[] gradient = Tensors.file(LAYOUT, Map.of("worker", "a"), new float[VALUES]);
        try (Socket socket = connect()) {
            send(
                    socket,
                    "POST /putGradient HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                            .formatted(HeaderNames.SAFETENSORS, gradient.length));
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 100 ");
            socket.getOutputStream().write(gradient);
            assertThat(answer(socket))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("application/problem+json", "lacks 'sequence'");
        }
    }

    /** The server read such bodies for ten seconds, which are gigabytes. */
    @ParameterizedTest
    @CsvSource({
        "POST /getVersion, Transfer-Encoding: chunked",
        "POST /getVersion, Content-Length: 4000000000000",
        "POST /putGradient, Transfer-Encoding: chunked",
        "PUT /putParameter, Content-Length: 4000000000000",
        "POST /status, Transfer-Encoding: chunked",
        "POST /status, Content-Length: 4000000000000",
        "POST /nothing, Transfer-Encoding: chunked"
    })
    void shouldCloseTheConnectionOfAClientThatGoesOnAfterItsRefusal(String request, String length) throws Exception {
        try (Socket socket = connect()) {
            send(socket, "%s HTTP/1.1\r\nHost: a\r\n%s\r\n\r\n".formatted(request, length));

            assertThat(FloodOfBytes.sent(socket)).isBetween(1L << 18, 32L << 20);
        }
    }

    /** A worker must see why, such as that it is unknown. */
    @ParameterizedTest
    @ValueSource(strings = {"POST /putGradient", "PUT /putBest"})
    void shouldReadAllOfAnHonestBodyThatItRefuses(String request) throws Exception {
        byte[] body = new byte[8_000_000];
        try (Socket socket = connect()) {
            send(
                    socket,
                    "%s HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n"
                            .formatted(request, body.length));
            socket.getOutputStream().write(body);
            assertThat(answer(socket)).startsWith("HTTP/1.1 4").contains("application/problem+json");
            send(socket, "GET /getVersion HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(answer(socket)).startsWith("HTTP/1.1 200 ");
        }
    }

    /** A stated body that is not there: the wait for it is bounded. */
    @Test
    void shouldAnswerAClientThatIsAskedToContinueAndDoesNot() throws Exception {
        try (Socket socket = connect()) {
            // Silence alone would end it after 30 s.
            socket.setSoTimeout(25_000);
            send(socket, "POST /status HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 100 ");

            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 4").contains("application/problem+json");
        }
    }

    private void putParameters() throws Exception {
        byte[] parameters = Tensors.file(LAYOUT, Map.of("network", "fc"), new float[VALUES]);
        try (Socket socket = connect()) {
            send(
                    socket,
                    "PUT /putParameter HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                            .formatted(HeaderNames.SAFETENSORS, parameters.length));
            socket.getOutputStream().write(parameters);
            assertThat(answer(socket)).startsWith("HTTP/1.1 201 ");
        }
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), service.uri("/").getPort());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads one response with a stated length, and returns it as text. */
    private static String answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        String head = head(in);
        int length = head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(
                        line.substring("content-length:".length()).strip()))
                .findFirst()
                .orElseThrow();
        byte[] body = in.readNBytes(length);
        assertThat(body).hasSize(length);
        return head + new String(body, StandardCharsets.ISO_8859_1);
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            assertThat(next).as("after '%s'", head).isNotNegative();
            head.append((char) next);
        }
        return head.toString();
    }
}

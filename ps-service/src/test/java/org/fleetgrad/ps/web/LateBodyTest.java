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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
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

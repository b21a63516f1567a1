package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no client library sends: whose end is unclear, and many at a time on one connection. */
@Timeout(60)
class RawRequestsTest {

    private static final float[] VALUES = {1, 2, 3, 4, 5, 6};
    private static final RunningService SERVICE =
            RunningService.start().startingAt(VALUES).withWorkers("a");

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    private static Socket send(String text) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), SERVICE.uri("/").getPort());
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** A proxy could take another end for right, and what follows for the request of another client. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 5",
                "Content-Length: 5\r\nContent-Length: 15",
                "Content-Length: 5, 15",
                "Content-Length: +5",
                "Content-Length: -5",
                "Content-Length: 0x5",
                "Content-Length: 5 5",
                "Content-Length: 18446744073709551621",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                "Transfer-Encoding: chunked, gzip",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding : chunked",
                "X-Folded: a\r\n Transfer-Encoding: chunked",
                "X-Nul: a\0b",
                "Host: b"
            })
    void shouldRefuseARequestWhoseEndIsUnclear(String headers) throws IOException {
        for (String path : new String[] {"/putGradient", "/registerWorker"}) {
            String request = "POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n%s\r\n\r\n"
                    .formatted(path, headers);
            try (Socket socket = send(request + "5\r\nhello\r\n0\r\n\r\nGET /getVersion HTTP/1.1\r\nHost: a\r\n\r\n")) {
                String answers = untilTheEnd(socket);

                assertThat(answers).as(path).startsWith("HTTP/1.1 4").doesNotContain("\"version\"");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x5\r\nhello", "-5\r\nhello", "5\r\nhelloo", "fffffffffffffffff\r\nhello", "zz\r\nhello"})
    void shouldRefuseChunksWhoseEndIsUnclear(String chunk) throws IOException {
        for (String path : new String[] {"/putGradient", "/registerWorker", "/nothing"}) {
            String request =
                    "POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                            .formatted(path);
            try (Socket socket = send(request + chunk + "\r\n0\r\n\r\nGET /getVersion HTTP/1.1\r\nHost: a\r\n\r\n")) {
                String answers = untilTheEnd(socket);

                assertThat(answers).as(path).startsWith("HTTP/1.1 4").doesNotContain("\"version\"");
            }
        }
    }

    /** The first answers are still being written when the next requests are read into the connection's buffers. */
    @Test
    void shouldAnswerRequestsOfOneConnectionInTheirOrder() throws IOException {
        byte[] expected = SERVICE.send(SERVICE.get(Routes.GET_PARAMETER)).body();
        String request = """
                GET /getParameter HTTP/1.1\r
                Host: a\r
                \r
                HEAD /status HTTP/1.1\r
                Host: a\r
                \r
                POST /putGradient HTTP/1.1\r
                Host: a\r
                Content-Type: text/plain\r
                Content-Length: 5\r
                \r
                helloHEAD /getParameter HTTP/1.1\r
                Host: a\r
                \r
                """;
        int times = 500;
        try (Socket socket = send("")) {
            Thread sender = new Thread(() -> {
                try {
                    socket.getOutputStream().write(request.repeat(times).getBytes(StandardCharsets.US_ASCII));
                } catch (IOException ended) {
                    // The reader notices.
                }
            });
            sender.start();
            for (int i = 0; i < times; i++) {
                assertThat(answer(socket, "HTTP/1.1 200 ", true)).isEqualTo(expected);
                assertThat(answer(socket, "HTTP/1.1 200 ", false)).isEmpty();
                assertThat(new String(answer(socket, "HTTP/1.1 415 ", true), StandardCharsets.UTF_8))
                        .contains("unsupported-media-type");
                assertThat(answer(socket, "HTTP/1.1 405 ", false)).isEmpty();
            }
        }
    }

    private static byte[] answer(Socket socket, String begin, boolean hasBody) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("after '%s'", head).isNotNegative();
            head.append((char) next);
        }
        assertThat(head.toString()).startsWith(begin);
        return hasBody ? body(head.toString().toLowerCase(Locale.ROOT), in) : new byte[0];
    }

    private static byte[] body(String head, InputStream in) throws IOException {
        int length = Arrays.stream(head.split("\r\n"))
                .filter(line -> line.startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(
                        line.substring("content-length:".length()).strip()))
                .findFirst()
                .orElseThrow();
        return in.readNBytes(length);
    }

    private static String untilTheEnd(Socket socket) throws IOException {
        StringBuilder read = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                read.append((char) next);
            }
        } catch (SocketException reset) {
            // As much an end.
        }
        return read.toString();
    }
}

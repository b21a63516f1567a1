package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TruncatedResponseTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 1)));
    private static final String APPLIED = answer(
            "200 OK",
            "application/json",
            "{\"code\":200,\"outcome\":\"applied\",\"version\":8,\"staleness\":0,\"awaitNext\":false}");
    private static final String UNKNOWN_WORKER = answer(
            "409 Conflict",
            "application/problem+json",
            "{\"type\":\"urn:fleetgrad:problem:unknown-worker\",\"status\":409,\"code\":409}");

    private static String answer(String status, String type, String body) {
        return "HTTP/1.1 %s\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(status, type, body.length(), body);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeNoAnswerThatWasCutForAnAnswer(boolean isApplied) throws Exception {
        byte[] whole = (isApplied ? APPLIED : UNKNOWN_WORKER).getBytes(StandardCharsets.US_ASCII);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            PsClient client = new PsClient(
                    URI.create("http://127.0.0.1:" + server.getLocalPort()),
                    ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
            for (int cut = 0; cut < whole.length; cut++) {
                answerOnce(server, Arrays.copyOf(whole, cut));

                assertThatThrownBy(() -> push(client))
                        .as("cut after %d of %d bytes", cut, whole.length)
                        .isInstanceOf(ServerUnavailableException.class);
            }

            answerOnce(server, whole);
            assertThat(push(client))
                    .isInstanceOf(isApplied ? PushResult.Applied.class : PushResult.UnknownWorker.class);
        }
    }

    private static PushResult push(PsClient client) throws IOException {
        return client.push(new GradientMetadata("w", 1, "g", 7, 1, 0), LAYOUT, new float[1], false);
    }

    private static void answerOnce(ServerSocket server, byte[] bytes) {
        CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> {
            try (Socket client = server.accept()) {
                readRequest(client.getInputStream());
                client.getOutputStream().write(bytes);
            } catch (IOException gone) {
                throw new java.io.UncheckedIOException(gone);
            }
        });
    }

    /** A connection that is closed on unread bytes would be reset. */
    private static void readRequest(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        String length = head.toString().replaceAll("(?s).*Content-Length: (\\d+).*", "$1");
        in.skipNBytes(Long.parseLong(length));
    }
}

package org.fleetgrad.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ChannelTransportTest {

    private static final Transport.Settings SETTINGS =
            new Transport.Settings(Duration.ofSeconds(5), Duration.ofSeconds(30), Integer.MAX_VALUE, Optional.empty());

    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    @Test
    void shouldOpenAnotherConnectionIfTheServerClosedTheLast() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort());
            Transport transport = transport(uri);
            for (int i = 0; i < 3; i++) {
                CompletableFuture<String> served = CompletableFuture.supplyAsync(() -> answerOnce(server));
                assertThat(transport.exchange(get(uri, Map.of("X-A", "b"))).status())
                        .isEqualTo(200);
                // It has closed the connection by then.
                assertThat(served.join())
                        .startsWith("GET /path?a=%20 HTTP/1.1\r\nHost: 127.0.0.1:" + server.getLocalPort() + "\r\n")
                        .contains("\r\nX-A: b\r\n")
                        .doesNotContain("Content-Length");
            }
        }
    }

    @Test
    void shouldSpeakToAServerOverItsSocketInTheFileSystem() throws Exception {
        Path path = folder.resolve("server.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            URI uri = URI.create("unix:" + path);
            CompletableFuture<String> served = CompletableFuture.supplyAsync(() -> answerOnce(server));

            Transport.Response response = transport(uri).exchange(get(URI.create("http://localhost"), Map.of()));

            assertThat(StandardCharsets.US_ASCII.decode(response.body()).toString())
                    .isEqualTo("hi");
            assertThat(served.join()).startsWith("GET /path?a=%20 HTTP/1.1\r\nHost: localhost\r\n");
        }
        assertThatThrownBy(() -> transport(URI.create("unix:" + path)).exchange(get(URI.create("http://a"), Map.of())))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("no connection to " + path);
    }

    @Test
    void shouldFinishInAThreadThatWasInterruptedBefore() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort());
            CompletableFuture<String> served = CompletableFuture.supplyAsync(() -> answerOnce(server));
            Thread.currentThread().interrupt();

            assertThat(transport(uri).exchange(get(uri, Map.of())).status()).isEqualTo(200);

            assertThat(Thread.interrupted()).isTrue();
            assertThat(served.join()).isNotEmpty();
        }
    }

    @Test
    void shouldRefuseAHeaderThatWouldEndInAnother() {
        URI uri = URI.create("http://127.0.0.1:1");

        assertThatThrownBy(() -> get(uri, Map.of("X-A", "b\r\nX-C: d")).head("localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the header X-A cannot hold the character 13 at place 1");
    }

    @Test
    void shouldNameTheHostWithoutItsUser() {
        assertThat(transport(URI.create("http://me@[::1]:29500/path")).host()).isEqualTo("[::1]:29500");
        assertThat(transport(URI.create("http://gateway")).host()).isEqualTo("gateway");
    }

    private static ChannelTransport transport(URI uri) {
        return new ChannelTransport(uri, SETTINGS, StalledTransferMonitor.shared());
    }

    private static Transport.Request get(URI base, Map<String, String> headers) {
        return new Transport.Request("GET", URI.create(base + "/path?a=%20"), headers, List.of(), Duration.ZERO);
    }

    private static String answerOnce(ServerSocket server) {
        try (Socket client = server.accept()) {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) client.getInputStream().read());
            }
            client.getOutputStream().write(ANSWER);
            return head.toString();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static String answerOnce(ServerSocketChannel server) {
        try (SocketChannel client = server.accept()) {
            ByteBuffer head = ByteBuffer.allocate(1000);
            while (!text(head).contains("\r\n\r\n")) {
                assertThat(client.read(head)).isPositive();
            }
            client.write(ByteBuffer.wrap(ANSWER));
            return text(head);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static String text(ByteBuffer head) {
        return StandardCharsets.US_ASCII.decode(head.duplicate().flip()).toString();
    }
}

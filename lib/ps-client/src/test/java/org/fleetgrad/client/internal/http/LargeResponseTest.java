package org.fleetgrad.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses whose buffer grows in steps, through both transports. */
@Timeout(60)
class LargeResponseTest {

    private static final Transport.Settings SETTINGS =
            new Transport.Settings(Duration.ofSeconds(5), Duration.ofSeconds(30), Integer.MAX_VALUE, Optional.empty());

    private static final int LENGTH = 3 * ResponseReader.UNEARNED_BYTES + 7;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReadEachByteInItsPlace(boolean isChannel) throws Exception {
        byte[] bytes = new byte[LENGTH];
        new Random(1).nextBytes(bytes);

        assertThat(exchange(isChannel, bytes, LENGTH).body()).isEqualTo(ByteBuffer.wrap(bytes));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellWhereAnAnswerEndedThatClaimedMore(boolean isChannel) {
        assertThatThrownBy(() -> exchange(isChannel, new byte[LENGTH], Integer.MAX_VALUE - 8))
                .isInstanceOf(IOException.class)
                .hasMessage("the answer ended after %d of %d bytes".formatted(LENGTH, Integer.MAX_VALUE - 8));
    }

    private static Transport.Response exchange(boolean isChannel, byte[] body, int stated) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI uri = URI.create("http://127.0.0.1:%d/".formatted(server.getLocalPort()));
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> answer(server, body, stated));
            Transport transport = isChannel
                    ? new ChannelTransport(uri, SETTINGS, StalledTransferMonitor.shared())
                    : new BlockingTransport(SETTINGS, StalledTransferMonitor.shared());
            Transport.Response response =
                    transport.exchange(new Transport.Request("GET", uri, Map.of(), List.of(), Duration.ZERO));
            served.join();
            return response;
        }
    }

    private static void answer(ServerSocket server, byte[] body, int stated) {
        try (Socket client = server.accept()) {
            int unused = client.getInputStream().read(new byte[4096]);
            client.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n"
                            .formatted(stated)
                            .getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().write(body);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}

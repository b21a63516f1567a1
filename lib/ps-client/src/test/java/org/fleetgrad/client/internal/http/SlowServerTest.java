package org.fleetgrad.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.fleetgrad.testing.DrippingServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A slow or stalled server: no read lasts as long as its timeout, and a write has none. */
class SlowServerTest {

    private static final Transport.Settings SETTINGS =
            new Transport.Settings(Duration.ofSeconds(5), Duration.ofSeconds(30), Integer.MAX_VALUE, Optional.empty());

    private final AtomicLong time = new AtomicLong();
    private final StalledTransferMonitor monitor = new StalledTransferMonitor(time::get);

    @ParameterizedTest
    @CsvSource({
        "a body, 'HTTP/1.1 200 OK~Content-Length: 1000000~~', 0, true",
        "a body, 'HTTP/1.1 200 OK~Content-Length: 1000000~~', 0, false",
        "a body in chunks, 'HTTP/1.1 200 OK~Transfer-Encoding: chunked~~100000~', 0, true",
        "a body in chunks, 'HTTP/1.1 200 OK~Transfer-Encoding: chunked~~100000~', 0, false",
        "a head, 'HTTP/1.1 200 OK~X: ', 0, true",
        "a head, 'HTTP/1.1 200 OK~X: ', 0, false",
        "a request that it never reads, '', 50000000, true",
        "a request that it never reads, '', 50000000, false"
    })
    void shouldGiveUpAServerThatHardlyMoves(String what, String begin, int bytes, boolean isChannel) throws Exception {
        try (DrippingServer server = DrippingServer.start(begin.replace("~", "\r\n"))) {
            Transport.Request request = new Transport.Request(
                    bytes == 0 ? "GET" : "PUT",
                    server.uri(),
                    Map.of(),
                    bytes == 0 ? List.of() : List.of(ByteBuffer.allocate(bytes)),
                    Duration.ZERO);
            Transport transport = isChannel
                    ? new ChannelTransport(server.uri(), SETTINGS, monitor)
                    : new BlockingTransport(SETTINGS, monitor);
            CompletableFuture<Throwable> exchanged =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> transport.exchange(request)));

            await().until(() -> {
                time.addAndGet(Duration.ofSeconds(10).toNanos());
                monitor.check();
                return exchanged.isDone();
            });

            assertThat(exchanged.get())
                    .as(what)
                    .hasMessageContaining("bytes moved in")
                    .hasMessageContaining("below 8192 a second");
        }
    }
}

package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that are closed while others call. The server counts those that are open. */
class ClosedConnectionsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String ANSWER = "{\"code\":200,\"version\":3,\"generation\":\"g\",\"initialized\":true}";

    private final AtomicInteger open = new AtomicInteger();
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile CountDownLatch answering = new CountDownLatch(0);
    private ServerSocket server;
    private PsClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(this::accept);
        accepting.setDaemon(true);
        accepting.start();
        client = new PsClient(
                URI.create("http://127.0.0.1:" + server.getLocalPort()),
                new ClientOptions(TIMEOUT, TIMEOUT, Duration.ZERO, Integer.MAX_VALUE));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = server.accept();
                open.incrementAndGet();
                Thread serving = new Thread(() -> serve(connection));
                serving.setDaemon(true);
                serving.start();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            BufferedReader requests =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                if (line.isEmpty()) {
                    asked.countDown();
                    answering.await();
                    connection
                            .getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                                    .formatted(ANSWER.length(), ANSWER)
                                    .getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException | InterruptedException ended) {
            // Counts as closed below.
        } finally {
            open.decrementAndGet();
        }
    }

    @Test
    void shouldFailNoCallAndLeaveNoConnectionWhenManyCallWhileIdleOnesAreClosed() {
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                client.closeIdle();
            }
        });
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < 8; caller++) {
            PsClient own = client.as("w" + caller);
            callers.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 100; i++) {
                    assertThat(version(own)).isEqualTo(3);
                }
            }));
        }

        assertThat(callers).allSatisfy(calls -> assertThat(calls).succeedsWithin(TIMEOUT));
        isOver.set(true);
        assertThat(closing).succeedsWithin(TIMEOUT);
        client.closeIdle();
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(open).hasValue(0));
    }

    /** As where an activation ends while the renewal of its lease still waits for a server that hangs. */
    @Test
    void shouldCloseTheConnectionOfACallThatWasUnderWay() throws Exception {
        answering = new CountDownLatch(1);
        CompletableFuture<Long> call = CompletableFuture.supplyAsync(() -> version(client));
        asked.await();

        client.closeIdle();
        answering.countDown();

        assertThat(call).succeedsWithin(TIMEOUT).isEqualTo(3L);
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(open).hasValue(0));
    }

    private static long version(PsClient client) {
        try {
            return client.version().version();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }
}

package org.fleetgrad.pipeline.channel.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.pipeline.frame.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallersTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Border BORDER = Border.after(1, List.of(3), 2);

    private final RunToken token = RunToken.draw();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final List<String> refused = new ArrayList<>();
    private final List<Socket> strangers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void leave() throws IOException {
        for (Socket stranger : strangers) {
            stranger.close();
        }
        threads.shutdownNow();
    }

    private Socket stranger(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        strangers.add(socket);
        return socket;
    }

    /** More than may be in their handshake at a time. Each of them delayed the neighbour by ten seconds. */
    @Test
    void shouldAcceptTheNeighbourBehindACrowdOfSilentStrangers() throws Exception {
        try (BorderListener listener = BorderListener.open(InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 300; i++) {
                stranger(listener.port());
            }
            Future<SocketLink> accepted = threads.submit(() -> listener.accept(token, BORDER, 1, LIMIT, unused -> {}));
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port());

            try (SocketLink before = SocketLink.connect(address, token, BORDER, 1, LIMIT);
                    SocketLink after = accepted.get(60, TimeUnit.SECONDS)) {
                before.send(Frame.activation(7, new float[3], 1, 3));
                assertThat(after.receive().microBatch()).isEqualTo(7);
            }
        }
    }

    /** Each byte comes in time for a rule that looks at the last byte only. */
    @Test
    void shouldEndAHandshakeOfOneByteNowAndThen() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Callers callers = new Callers(server, token, refused::add, this::moving)) {
            Socket slow = stranger(server.getLocalPort());
            slow.getOutputStream().write("FLEETGRAD".getBytes(StandardCharsets.US_ASCII));

            while (refused.isEmpty()) {
                assertThat(callers.next(Duration.ofSeconds(2))).isEmpty();
                now.addAndGet(Duration.ofSeconds(3).toNanos());
                write(slow);
            }

            assertThat(refused).containsExactly("it did not end its handshake in time");
            awaitEnd(slow);
        }
    }

    @Test
    void shouldReportEverFewerStrangers() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
                Callers callers = new Callers(server, token, refused::add)) {
            for (int i = 0; i < 64; i++) {
                Socket stranger = stranger(server.getLocalPort());
                stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            while (refused.size() < 22) {
                assertThat(callers.next(LOOK)).isEmpty();
            }

            assertThat(refused.get(20)).endsWith("(32 were refused)");
            assertThat(refused.get(21)).endsWith("(64 were refused)");
        }
    }

    @Test
    void shouldEndTheHandshakesUnderWayWhenItIsClosed() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Socket silent = stranger(server.getLocalPort());
            try (Callers callers = new Callers(server, token, refused::add)) {
                assertThat(callers.next(LOOK)).isEmpty();
            }

            awaitEnd(silent);
        }
    }

    /** Time passes with each look, so that no wait of a test takes long. */
    private long moving() {
        return now.addAndGet(Duration.ofMillis(100).toNanos());
    }

    private static void write(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write('-');
        } catch (SocketException ended) {
            // This is what is awaited.
        }
    }

    private static void awaitEnd(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // The listener's opening.
            }
        } catch (SocketException reset) {
            // As much an end.
        }
    }
}

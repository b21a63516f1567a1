package org.fleetgrad.http.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.DefaultHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SlowHeadsTest {

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setHandler(new DefaultHandler());
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void shouldCloseAConnectionWhoseHeadDoesNotEnd() throws IOException {
        try (Socket slow = send("GET / HTTP/1.1\r\nHo");
                Socket idle = send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
            assertThat(slow.getInputStream().available()).isZero();
            assertThat(idle.getInputStream().read()).isEqualTo('H');

            SlowHeads heads = new SlowHeads(server, Duration.ZERO);
            spinUntil(() -> connector.getConnectedEndPoints().size() == 2);
            spinUntil(() -> {
                heads.closeLate();
                return connector.getConnectedEndPoints().size() == 1;
            });

            assertThat(slow.getInputStream().read()).isNegative();
            idle.getInputStream().skipNBytes(idle.getInputStream().available());
            write(idle, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(idle.getInputStream().read()).isEqualTo('H');
        }
    }

    @Test
    void shouldWaitForAHeadThatHasTime() throws IOException {
        try (Socket slow = send("GET / HTTP/1.1\r\nHo")) {
            new SlowHeads(server, Duration.ofMinutes(1)).closeLate();

            write(slow, "st: a\r\n\r\n");

            assertThat(slow.getInputStream().read()).isEqualTo('H');
        }
    }

    private static void spinUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertThat(Thread.interrupted()).as("timed out").isFalse();
            Thread.onSpinWait();
        }
    }

    private Socket send(String text) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
        write(client, text);
        return client;
    }

    private static void write(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}

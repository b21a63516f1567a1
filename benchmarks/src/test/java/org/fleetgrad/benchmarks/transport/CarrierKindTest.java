package org.fleetgrad.benchmarks.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All compared clients must do the same work. */
class CarrierKindTest {

    private static final byte[] HEADER = {1, 2, 3};
    private static final byte[] DATA = new byte[300_000];

    private final List<byte[]> received = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private int status = 200;

    @BeforeEach
    void start() throws IOException {
        Arrays.fill(DATA, (byte) 7);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                received.add(exchange.getRequestBody().readAllBytes());
                byte[] answer = new byte[DATA.length + 100];
                exchange.sendResponseHeaders(status, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:%d/putGradient?pull=true"
                .formatted(server.getAddress().getPort()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldCarryEveryByteThereAndBackOverAndOver(CarrierKind kind) throws Exception {
        try (Carrier carrier = kind.open(uri(), DATA)) {
            for (int i = 0; i < 3; i++) {
                assertThat(carrier.push(HEADER)).isEqualTo(DATA.length + 100);
            }
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(HEADER);
        body.write(DATA);
        assertThat(received).hasSize(3).allMatch(bytes -> Arrays.equals(bytes, body.toByteArray()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailOnAnyStatusThatIsNot200(CarrierKind kind) throws Exception {
        status = 503;
        try (Carrier carrier = kind.open(uri(), DATA)) {
            assertThatThrownBy(() -> carrier.push(HEADER))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("503");
        }
    }
}

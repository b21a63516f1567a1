package org.fleetgrad.worker.action;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.fleetgrad.testing.ActionWire;
import org.fleetgrad.testing.ActionWire.Reply;
import org.fleetgrad.worker.action.ActionResult.Success;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Many clients of an action's container, some of whom stop in the middle. */
class ActionStrangersTest {

    private final PrintStream log = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    private Function<JsonNode, ActionResult> action = body -> new Success(Map.of("echo", body.get("value")));
    private ActionServer server;
    private ActionWire wire;

    @BeforeEach
    void start() throws IOException {
        server = new ActionServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ActionEnvironment(Map.of()),
                body -> action.apply(body),
                log,
                log);
        server.start();
        wire = ActionWire.local(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Whoever reaches the port could keep all activations out. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /ru",
                "POST /run HTTP/1.1\r\nHost: a\r\nContent-Length: 900000000\r\n\r\n{",
                "POST /init HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                "POST /run HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\n"
            })
    void shouldRunWhileClientsStopInTheMiddleOfARequest(String half) throws IOException {
        HalfRequests.hold(
                server.port(),
                half,
                () -> assertThat(wire.post("/run", "{\"value\":{\"a\":1}}").body())
                        .isEqualTo("{\"echo\":{\"a\":1}}"));
    }

    @Test
    void shouldRunOneActivationAtATime() throws Exception {
        AtomicInteger running = new AtomicInteger();
        action = body -> new Success(Map.of("running", running.incrementAndGet() + 10 * running.getAndDecrement()));
        List<CompletableFuture<Reply>> replies =
                Stream.generate(() -> inBackground()).limit(20).toList();

        for (CompletableFuture<Reply> reply : replies) {
            assertThat(reply.get(60, TimeUnit.SECONDS).body()).isEqualTo("{\"running\":11}");
        }
    }

    private CompletableFuture<Reply> inBackground() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return wire.post("/run", "{\"value\":{}}");
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
    }
}

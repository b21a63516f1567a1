package org.fleetgrad.following;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.following.Follower.FollowState;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A parameter server with keys. */
class ParameterServerTest {

    private static final String VERSION = "{\"code\":200,\"version\":0,\"generation\":\"g\",\"initialized\":false}";

    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void shouldSendATokenForItsKeys() throws IOException {
        assertThat(parameterServer("right-secret").version().generation()).isEqualTo("g");

        assertThat(authorizations).containsExactly("none", "Bearer t1");
    }

    @Test
    void shouldSayThatItsKeysAreWrong() {
        Follower follower =
                new Follower(parameterServer("wrong-secret"), pulled -> {}, new HeldOutScores(), Duration.ofMillis(1));

        follower.round();

        assertThat(follower.state().kind()).isEqualTo(FollowState.Kind.UNREACHABLE);
        assertThat(follower.state().detail())
                .isEqualTo("the parameter server cannot be used: POST /issueToken: 401 the keys are those of no role");
    }

    /** A Spring context that is closed and opened again would otherwise leave connections each time. */
    @Test
    void shouldKeepNoConnectionWhenItIsClosed() throws IOException {
        ParameterServer closed = parameterServer("right-secret");
        for (int i = 0; i < 3; i++) {
            closed.version();
            closed.close();
        }

        assertThat(ports).hasSize(3);
    }

    private ParameterServer parameterServer(String secret) {
        return new ParameterServer(
                ServerAddresses.parse(
                        "server", "127.0.0.1:" + server.getAddress().getPort()),
                ClientOptions.DEFAULT.withCredentials(new Credentials("evaluation", secret)));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            ports.add(exchange.getRemoteAddress().getPort());
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            authorizations.add(authorization == null ? "none" : authorization);
            if (exchange.getRequestURI().getPath().equals("/issueToken")) {
                if (body.contains("right-secret")) {
                    answer(exchange, 200, "{\"code\":200,\"token\":\"t1\",\"role\":\"evaluator\",\"expiresMs\":60000}");
                } else {
                    answer(exchange, 401, "{\"status\":401,\"code\":401,\"detail\":\"the keys are those of no role\"}");
                }
            } else {
                answer(exchange, 200, VERSION);
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, json.length());
        exchange.getResponseBody().write(json.getBytes(StandardCharsets.US_ASCII));
    }
}

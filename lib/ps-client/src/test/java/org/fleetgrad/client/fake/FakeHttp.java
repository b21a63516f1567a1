package org.fleetgrad.client.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.fleetgrad.testing.OpenApiContract;
import org.fleetgrad.testing.RecordedExchange;

/**
 * The HTTP of the fake server: one thread per request; each response is checked against the contract, if there is one.
 */
final class FakeHttp implements AutoCloseable {

    static {
        // Otherwise the JDK's server sends headers and body in two segments, 40 ms apart.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    /** Handles a request; without a response, the connection is closed. */
    interface Route {
        Optional<FakeResponse> answer(HttpExchange exchange, byte[] body) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final Route route;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Throwable> violations = new CopyOnWriteArrayList<>();
    private volatile Optional<OpenApiContract> contract = Optional.empty();

    FakeHttp(int port, Route route) throws IOException {
        this.route = route;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
    }

    void start() {
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port());
    }

    List<String> calls() {
        return calls;
    }

    List<Throwable> violations() {
        return violations;
    }

    void holdTo(OpenApiContract documented) {
        contract = Optional.of(documented);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            calls.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            Optional<FakeResponse> answer = route.answer(exchange, body);
            if (answer.isPresent()) {
                contract.ifPresent(documented -> check(documented, exchange, body, answer.get()));
                send(exchange, answer.get());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | AssertionError bug) {
            violations.add(bug);
            throw bug;
        }
    }

    private static void send(HttpExchange exchange, FakeResponse answer) throws IOException {
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
        exchange.getResponseBody().write(answer.body());
    }

    private void check(OpenApiContract documented, HttpExchange exchange, byte[] body, FakeResponse answer) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        answer.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        try {
            documented.check(new RecordedExchange(
                    exchange.getRequestMethod(),
                    uri().resolve(exchange.getRequestURI()),
                    exchange.getRequestHeaders(),
                    ByteBuffer.wrap(body),
                    answer.status(),
                    headers,
                    ByteBuffer.wrap(answer.body())));
        } catch (AssertionError violation) {
            violations.add(violation);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

package org.fleetgrad.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import org.fleetgrad.testing.OpenApiContract;
import org.fleetgrad.testing.RecordedExchange;

/** Answers requests with the responses that the test queued, and records the requests. */
final class ScriptedServer implements AutoCloseable {

    /** A request as received. */
    record Received(String method, URI uri, Map<String, List<String>> headers, ByteBuffer body) {
        String header(String name) {
            return headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(header -> header.getValue().get(0))
                    .findFirst()
                    .orElse("");
        }

        String text() {
            return StandardCharsets.UTF_8.decode(body.duplicate()).toString();
        }
    }

    private final HttpServer server;
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final List<Received> received = new ArrayList<>();
    private final List<RecordedExchange> answered = new ArrayList<>();
    private final Set<Integer> connections = new TreeSet<>();

    ScriptedServer(int port) throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0));
    }

    private ScriptedServer(HttpServer server) {
        this.server = server;
        server.createContext("/", this::handle);
        server.start();
    }

    /** Speaks TLS. */
    static ScriptedServer secure(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new ScriptedServer(server);
    }

    URI uri() {
        return URI.create("%s://127.0.0.1:%d".formatted(server instanceof HttpsServer ? "https" : "http", port()));
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Queues a response. */
    synchronized ScriptedServer then(Reply reply) {
        replies.add(reply);
        return this;
    }

    synchronized List<Received> received() {
        return List.copyOf(received);
    }

    /** Returns the newest request. */
    synchronized Received last() {
        return received.get(received.size() - 1);
    }

    /** Returns the number of connections with requests. */
    synchronized int connections() {
        return connections.size();
    }

    /** Checks every completed exchange against the contract. */
    synchronized void check(OpenApiContract contract) {
        answered.forEach(contract::check);
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            connections.add(exchange.getRemoteAddress().getPort());
            Received request = new Received(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI(),
                    new LinkedHashMap<>(exchange.getRequestHeaders()),
                    ByteBuffer.wrap(exchange.getRequestBody().readAllBytes()));
            received.add(request);
            Reply reply = replies.isEmpty() ? Reply.problem(500, "internal") : replies.remove();
            if (reply.statedLength() != Reply.LOST) {
                answer(exchange, reply);
                remember(request, reply);
            }
        }
    }

    private static void answer(HttpExchange exchange, Reply reply) throws IOException {
        reply.headers().forEach(exchange.getResponseHeaders()::set);
        // The JDK's server takes 0 for "in chunks" and -1 for "no body".
        long length = reply.statedLength() == Reply.CHUNKED ? 0 : reply.statedLength() == 0 ? -1 : reply.statedLength();
        exchange.sendResponseHeaders(reply.status(), length);
        if (reply.body().hasRemaining()) {
            Channels.newChannel(exchange.getResponseBody()).write(reply.body().duplicate());
            // Committed now: newer JDKs would answer 500 in its place where the body falls short of its stated length.
            exchange.getResponseBody().flush();
        }
    }

    private void remember(Received request, Reply reply) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        reply.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        answered.add(new RecordedExchange(
                request.method(),
                uri().resolve(request.uri()),
                request.headers(),
                request.body(),
                reply.status(),
                headers,
                reply.body()));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

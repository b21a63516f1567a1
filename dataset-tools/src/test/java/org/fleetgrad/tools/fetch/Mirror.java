package org.fleetgrad.tools.fetch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A server of files that understands Range, and injects faults on demand: one per request, in the given order. */
public final class Mirror implements AutoCloseable {

    /** Injected faults. */
    enum Fault {
        NONE,
        HTTP_503,
        HTTP_404,
        CUT_IN_HALF,
        IGNORE_RANGE,
        WRONG_RANGE,
        HTTP_416,
        TOO_MUCH
    }

    private final HttpServer server;
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /** Starts the server on a free port. */
    public Mirror() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Returns the address below which the files are. */
    public URI base() {
        return URI.create("http://%s:%d/files/"
                .formatted(
                        server.getAddress().getHostString(), server.getAddress().getPort()));
    }

    /** Serves a file. */
    public Mirror serve(String name, byte[] content) {
        files.put("/files/" + name, content);
        return this;
    }

    synchronized Mirror misbehave(Fault... next) {
        faults.addAll(Arrays.asList(next));
        return this;
    }

    /** Returns path and Range header of each request. */
    List<String> requests() {
        return requests;
    }

    private synchronized Fault nextFault() {
        Fault next = faults.poll();
        return next == null ? Fault.NONE : next;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            @Nullable String range = exchange.getRequestHeaders().getFirst("Range");
            requests.add(exchange.getRequestURI().getPath() + (range == null ? "" : " " + range));
            byte @Nullable [] content = files.get(exchange.getRequestURI().getPath());
            Fault fault = nextFault();
            if (content == null || fault == Fault.HTTP_404) {
                exchange.sendResponseHeaders(404, -1);
            } else if (fault == Fault.HTTP_503) {
                exchange.sendResponseHeaders(503, -1);
            } else if (fault == Fault.HTTP_416) {
                exchange.sendResponseHeaders(416, -1);
            } else {
                send(exchange, content, range, fault);
            }
        }
    }

    private static void send(HttpExchange exchange, byte[] content, @Nullable String range, Fault fault)
            throws IOException {
        byte[] whole = fault == Fault.TOO_MUCH ? Arrays.copyOf(content, content.length + 1) : content;
        int from = range == null || fault == Fault.IGNORE_RANGE
                ? 0
                : Integer.parseInt(range.substring("bytes=".length(), range.length() - 1));
        if (from > 0) {
            int stated = fault == Fault.WRONG_RANGE ? from + 1 : from;
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes %d-%d/%d".formatted(stated, whole.length - 1, whole.length));
        }
        int length = whole.length - from;
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, length);
        exchange.getResponseBody().write(whole, from, fault == Fault.CUT_IN_HALF ? length / 2 : length);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

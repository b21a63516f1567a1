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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A server of files that understands Range, and injects faults on demand: one per request, in the given order. */
public final class Mirror implements AutoCloseable {

    /** Injected faults. */
    enum Fault {
        NONE,
        HTTP_503,
        HTTP_404,
        CUT_IN_HALF,
        /** Half a body, and then nothing. */
        STALL,
        IGNORE_RANGE,
        WRONG_RANGE,
        HTTP_416,
        TOO_MUCH
    }

    private final HttpServer server;
    private final ExecutorService handlers = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /** Starts the server on a free port. */
    public Mirror() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(handlers);
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

    private void send(HttpExchange exchange, byte[] content, @Nullable String range, Fault fault) throws IOException {
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
        boolean isHalf = fault == Fault.CUT_IN_HALF || fault == Fault.STALL;
        exchange.getResponseBody().write(whole, from, isHalf ? length / 2 : length);
        if (fault == Fault.STALL) {
            exchange.getResponseBody().flush();
            awaitClose();
        }
    }

    private void awaitClose() {
        try {
            closing.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        handlers.shutdown();
    }
}

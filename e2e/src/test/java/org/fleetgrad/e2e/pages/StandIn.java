package org.fleetgrad.e2e.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands in for a service: the page and its files are the service's own, the figures are made up. */
final class StandIn implements AutoCloseable {

    private static final List<String> COPIED = List.of("Content-Type", "Content-Security-Policy");

    private final URI service;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> figures = new ConcurrentHashMap<>();
    private volatile CountDownLatch answers = new CountDownLatch(0);

    StandIn(URI service) throws IOException {
        this.service = service;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    URI page() {
        return URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
    }

    /** Answers a path with JSON from now on. */
    void tell(String path, String json) {
        figures.put(path, json);
    }

    /** Takes requests for figures from now on, and answers none. */
    void hang() {
        answers = new CountDownLatch(1);
    }

    /** Answers again, also what came meanwhile. */
    void recover() {
        answers.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/") || path.startsWith("/assets/")) {
                copy(exchange);
                return;
            }
            answers.await();
            Optional<String> json = Optional.ofNullable(figures.get(path));
            if (path.equals("/events")) {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                write(exchange, 200, new byte[0]);
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            write(exchange, json.isPresent() ? 200 : 404, json.orElse("{}").getBytes(UTF_8));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void copy(HttpExchange exchange) throws IOException, InterruptedException {
        HttpResponse<byte[]> file = client.send(
                HttpRequest.newBuilder(service.resolve(exchange.getRequestURI().getPath()))
                        .build(),
                BodyHandlers.ofByteArray());
        COPIED.forEach(name -> file.headers()
                .firstValue(name)
                .ifPresent(value -> exchange.getResponseHeaders().set(name, value)));
        write(exchange, file.statusCode(), file.body());
    }

    private static void write(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        recover();
        server.stop(0);
        threads.shutdownNow();
    }
}

package org.fleetgrad.worker.colocated;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.fleetgrad.protocol.ProblemRules;
import tools.jackson.databind.json.JsonMapper;

/** The HTTP of a worker that answers predictions, over the JDK's server, as its {@code /run} is. Connections are kept. */
final class PredictServer implements AutoCloseable {

    static {
        // Otherwise the JDK's server sends head and body in two segments, and the second waits 40 ms for an
        // acknowledgement.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    /** More than may be outstanding, so that there is a thread to refuse what is too much, and to answer a status. */
    private static final int THREADS = Predictions.MOST_OUTSTANDING + 8;

    private static final int LARGEST_BODY = 1 << 20;
    private static final long DRAIN_MS = 1_000;
    private static final String JSON_TYPE = "application/json";

    private final JsonMapper json = JsonMapper.builder()
            .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
            .build();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, PredictServer::thread);
    private final Predictions predictions;
    private final PrintStream err;

    /** Binds the address; answers after {@link #start}. */
    PredictServer(InetSocketAddress address, Predictions predictions, PrintStream err) throws IOException {
        this.predictions = predictions;
        this.err = err;
        this.server = HttpServer.create(address, 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "predict");
        // The worker ends with its work, whoever still asks.
        thread.setDaemon(true);
        return thread;
    }

    void start() {
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply = reply(exchange);
            byte[] body = json.writeValueAsBytes(reply.body());
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Reply reply(HttpExchange exchange) throws IOException {
        try {
            String method = exchange.getRequestMethod();
            return switch (exchange.getRequestURI().getPath()) {
                case "/predict" -> method.equals("POST") ? predict(exchange) : Reply.wrongMethod("POST");
                case "/status" -> method.equals("GET") ? predictions.status() : Reply.wrongMethod("GET");
                default ->
                    Reply.problem(404, ProblemRules.NOT_FOUND, "this worker knows POST /predict and GET /status only");
            };
        } catch (RuntimeException | LinkageError | OutOfMemoryError bug) {
            bug.printStackTrace(err);
            return Reply.problem(500, ProblemRules.INTERNAL, "see the log of the worker");
        }
    }

    private Reply predict(HttpExchange exchange) throws IOException {
        String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
        if (!type.strip().split(";", -1)[0].strip().equalsIgnoreCase(JSON_TYPE)) {
            return Reply.problem(
                    415,
                    ProblemRules.UNSUPPORTED_MEDIA_TYPE,
                    "the body has type %s; a worker accepts %s".formatted(type, JSON_TYPE));
        }
        byte[] body;
        try (InputStream in = exchange.getRequestBody()) {
            body = in.readNBytes(LARGEST_BODY + 1);
        }
        return body.length > LARGEST_BODY
                ? Reply.problem(
                        413, ProblemRules.TOO_LARGE, "the body has more bytes than the limit of " + LARGEST_BODY)
                : predictions.predict(body);
    }

    /** Refuses what comes, answers what is there, and ends. */
    @Override
    public void close() {
        try {
            predictions.drain(DRAIN_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
    }
}

package org.fleetgrad.worker.action;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.http.server.RequestThreads;
import org.fleetgrad.http.server.SmallLimits;

/**
 * What OpenWhisk expects of every action's HTTP server: where it listens, one activation at a time, responses with a
 * Content-Length, and the line that ends an activation's log. Several requests are read at a time, each for a bounded time: a client that
 * stops in the middle of one keeps no activation out. Thread-safe.
 */
public abstract class ActionEndpoint implements AutoCloseable {

    private static final String PORT = "WORKER_PORT";
    private static final String ADDRESS = "WORKER_ADDRESS";

    /** Ends the log of an activation: OpenWhisk reads each stream up to this line. */
    static final String LOG_SENTINEL = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";

    /** Time for the last push; a run that takes longer is probably waiting for a server that is unreachable. */
    private static final int WAKE_SECONDS = 1;

    private static final int STOP_SECONDS = 10;

    /**
     * One request is handled at a time. The others hold memory for their bodies, and the heap of a container is small. An action's jar has
     * the time of OpenWhisk's own limit for an initialization.
     */
    private static final SmallLimits LIMITS =
            new SmallLimits(1, 8, Duration.ofMinutes(1), Duration.ofSeconds(1), 2 << 20);

    private final RequestThreads requests = new RequestThreads("action-request", LIMITS);
    private final HttpServer server;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> new Thread(work, "action"));
    private final PrintStream out;
    private final PrintStream err;

    /**
     * Binds an address; handles requests after {@link #start}.
     *
     * @param out     the activations' first log stream
     * @param err     the second one
     */
    protected ActionEndpoint(InetSocketAddress address, PrintStream out, PrintStream err) throws IOException {
        this.out = out;
        this.err = err;
        this.server = HttpServer.create(address, 0);
        server.setExecutor(requests);
        // One context for all paths: the JDK's contexts match prefixes, and /runs is not /run.
        server.createContext("/", this::handle);
    }

    /**
     * Returns the address that {@code environment} names; by default OpenWhisk's port, 8080, on every address.
     *
     * @throws IllegalArgumentException if its port is not a port number
     */
    public static InetSocketAddress address(Map<String, String> environment) {
        String text = environment.getOrDefault(PORT, "8080");
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65535) {
            throw new IllegalArgumentException("%s must be a port from 0 to 65535; it is '%s'".formatted(PORT, text));
        }
        return new InetSocketAddress(environment.getOrDefault(ADDRESS, "0.0.0.0"), Integer.parseInt(text));
    }

    /**
     * Returns whether the environment sets the port. OpenWhisk never does: it would take a logged port for part of an
     * activation's log.
     */
    public static boolean isPortSet(Map<String, String> environment) {
        return environment.containsKey(PORT);
    }

    /** A request that has arrived. */
    @FunctionalInterface
    public interface Arrived {

        /** Handles it. */
        Response handle() throws IOException;
    }

    /**
     * A response.
     *
     * @param body JSON
     */
    public record Response(int status, byte[] body) {}

    /**
     * Reads a request, beside others.
     *
     * @return runs later, alone
     */
    protected abstract Arrived read(HttpExchange exchange) throws IOException;

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Arrived arrived = read(exchange);
            RequestThreads.ActiveRequest request = requests.current();
            request.beginHandling();
            thread.submit(() -> {
                        try (exchange) {
                            Response response = arrived.handle();
                            request.beginResponse(System.nanoTime());
                            respond(exchange, response);
                            return response;
                        }
                    })
                    .get();
        } catch (InterruptedException | ExecutionException | RejectedExecutionException unanswered) {
            // Its client did not take the response, or the server stops. The connection is closed.
        }
    }

    /** Starts to handle requests. */
    public final void start() {
        server.start();
    }

    /** Returns the port that it listens on. */
    public final int port() {
        return server.getAddress().getPort();
    }

    /** Writes the line that ends an activation's log to both streams. */
    protected final void endLog() {
        for (PrintStream stream : List.of(out, err)) {
            stream.println(LOG_SENTINEL);
            stream.flush();
        }
    }

    /** Responds with JSON and a Content-Length: OpenWhisk's invoker drops a chunked response. */
    private static void respond(HttpExchange exchange, Response response) throws IOException {
        // Clear the interrupt of a stop: it would close the connection before the response is sent.
        boolean unused = Thread.interrupted();
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(response.status(), response.body().length);
        exchange.getResponseBody().write(response.body());
    }

    /** Starts no further run, and waits until the run in progress is answered; logs if that takes too long. */
    @Override
    public final void close() {
        thread.shutdown();
        try {
            // The run in progress notices the stop by itself. The HTTP server's own stop delay is slept in full even if
            // the server is idle.
            if (!thread.awaitTermination(WAKE_SECONDS, TimeUnit.SECONDS)) {
                List<Runnable> unused = thread.shutdownNow();
                if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                    err.println("the run in progress did not end within %d s".formatted(STOP_SECONDS));
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        requests.close();
    }
}

package org.fleetgrad.runs.place;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.fleetgrad.http.server.RequestThreads;
import org.fleetgrad.http.server.SmallLimits;
import org.fleetgrad.protocol.ServerAddresses;

/**
 * What a driver does for activations that outlive its run. They cannot be cancelled, and one that is still in OpenWhisk's
 * queue would try for its whole time limit to reach a server that is gone. So the driver responds in the server's place that
 * the run is over, which ends each worker immediately, until all have ended; or it reports the remaining ones.
 */
final class Aftermath implements Runnable {

    /** A client whose request takes longer than ten seconds learns nothing. */
    private static final SmallLimits LIMITS = SmallLimits.defaults(8);

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final int GONE = 410;
    private static final byte[] OVER =
            "{\"type\":\"urn:fleetgrad:problem:run-over\",\"title\":\"The run is over\",\"status\":410,\"code\":410,\"detail\":\"the run is over: its driver has ended\"}"
                    .getBytes(StandardCharsets.UTF_8);

    private final Supplier<List<String>> underWay;
    private final Ended ended;
    private final Duration limit;
    private final Consumer<String> teller;
    private volatile List<URI> servers = List.of();

    /** Checks whether OpenWhisk has an activation's record. */
    @FunctionalInterface
    interface Ended {
        boolean ask(String activation) throws IOException, InterruptedException;
    }

    /**
     * @param underWay returns the activations in flight, as far as is known
     * @param limit    the time limit of an activation
     */
    Aftermath(Supplier<List<String>> underWay, Ended ended, Duration limit, Consumer<String> teller) {
        this.underWay = underWay;
        this.ended = ended;
        this.limit = limit;
        this.teller = teller;
    }

    /** Sets the servers in whose place it will respond. */
    void standInFor(ServerAddresses addresses) {
        servers = addresses.uris();
    }

    /** Returns when all activations have ended, or the timeout has passed. */
    @Override
    public void run() {
        Set<String> left = new HashSet<>(underWay.get());
        if (left.isEmpty()) {
            return;
        }
        teller.accept("waiting for %d activations in flight to learn that the run is over".formatted(left.size()));
        List<HttpServer> standIns = new ArrayList<>();
        RequestThreads threads = new RequestThreads("stand-in", LIMITS);
        List<URI> missing = new ArrayList<>(servers);
        Set<String> over = new HashSet<>();
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (!left.isEmpty() && System.nanoTime() < end) {
                // A port is free once its server has ended, which is happening now.
                for (URI server : List.copyOf(missing)) {
                    if (standIn(server, standIns, threads)) {
                        missing.remove(server);
                    }
                }
                for (String activation : List.copyOf(left)) {
                    if (hasEnded(activation)) {
                        left.remove(activation);
                        over.add(activation);
                    }
                }
                // A thread of the fleet may have replaced an ended activation before it learnt that the run is over.
                underWay.get().stream()
                        .filter(activation -> !over.contains(activation))
                        .forEach(left::add);
                Thread.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            standIns.forEach(server -> server.stop(0));
            threads.close();
        }
        if (!left.isEmpty()) {
            teller.accept(
                    "%d activations are left in OpenWhisk: each ends at its limit of %d s at the latest, once it has started"
                            .formatted(left.size(), limit.toSeconds()));
        }
    }

    private boolean hasEnded(String activation) throws InterruptedException {
        try {
            return ended.ask(activation);
        } catch (IOException away) {
            return false;
        }
    }

    private static boolean standIn(URI server, List<HttpServer> standIns, RequestThreads threads) {
        try {
            HttpServer here = HttpServer.create(new InetSocketAddress(server.getHost(), server.getPort()), 0);
            here.setExecutor(threads);
            here.createContext("/", exchange -> {
                try (exchange) {
                    // A gradient may be larger than the memory of this program.
                    long unused = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
                    exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
                    exchange.sendResponseHeaders(GONE, OVER.length);
                    try (OutputStream out = exchange.getResponseBody()) {
                        out.write(OVER);
                    }
                }
            });
            here.start();
            standIns.add(here);
            return true;
        } catch (IOException stillThere) {
            return false;
        }
    }
}

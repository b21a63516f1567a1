package org.fleetgrad.benchmarks.exchange;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.Routes;

/** Eight connections that repeat the same request as fast as they get answers. */
public final class RequestLoad {

    private static final int CONNECTIONS = 8;
    private static final long LONG_ENOUGH_MS = 1_500;

    /** Enough rounds for the JIT, which needs some 20 s of load to compile a route. */
    private static final int WARM_UPS = 14;

    private final URI address;
    private final int requestBytes;
    private final List<Load> loads = new ArrayList<>();

    private RequestLoad(URI address, int requestBytes) {
        this.address = address;
        this.requestBytes = requestBytes;
    }

    @FunctionalInterface
    private interface Load {
        void send(LoadConnection connection) throws IOException;
    }

    public static RequestLoad pulls(Programs.Server server) {
        return same(server.address(), LoadConnection.get(Routes.GET_PARAMETER));
    }

    public static RequestLoad versions(Programs.Server server) {
        return same(server.address(), LoadConnection.get(Routes.GET_VERSION));
    }

    /** Returns a load of pushes of LeNet-5's gradients; each connection is a worker. */
    public static RequestLoad pushes(Programs.Server server) throws IOException {
        return pushes(server, false);
    }

    /** Returns a load of pushes of LeNet-5's gradients that ask for the new parameters; each connection is a worker. */
    public static RequestLoad exchanges(Programs.Server server) throws IOException {
        return pushes(server, true);
    }

    private static RequestLoad pushes(Programs.Server server, boolean isPulling) throws IOException {
        List<GradientPushes> workers = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            workers.add(new GradientPushes(
                    server.client(), Networks.usual("lenet5").spec().layout(), isPulling));
        }
        RequestLoad load = new RequestLoad(server.address(), workers.get(0).requestBytes());
        workers.forEach(worker -> load.loads.add(worker::push));
        return load;
    }

    /** Returns a load that repeats these bytes. */
    public static RequestLoad same(URI address, byte[] request) {
        RequestLoad load = new RequestLoad(address, request.length);
        for (int i = 0; i < CONNECTIONS; i++) {
            load.loads.add(connection -> connection.exchange(request));
        }
        return load;
    }

    public int requestBytes() {
        return requestBytes;
    }

    /** Sends until the JIT has compiled the route, which at first costs as much as thousands of requests. */
    public void warmUp() throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            double unused = perSecond();
        }
    }

    /** Sends for a while over new connections and returns the number of successful requests per second. */
    public double perSecond() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        AtomicBoolean stop = new AtomicBoolean();
        List<Future<Long>> counts = new ArrayList<>();
        long begin = System.nanoTime();
        for (Load load : loads) {
            counts.add(threads.submit(() -> {
                long count = 0;
                try (LoadConnection connection = new LoadConnection(address)) {
                    while (!stop.get()) {
                        load.send(connection);
                        count++;
                    }
                }
                return count;
            }));
        }
        Thread.sleep(LONG_ENOUGH_MS);
        stop.set(true);
        long total = 0;
        for (Future<Long> count : counts) {
            total += count.get();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        threads.shutdown();
        return (double) total / seconds;
    }
}

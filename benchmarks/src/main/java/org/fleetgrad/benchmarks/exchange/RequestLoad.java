package org.fleetgrad.benchmarks.exchange;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.networks.Networks;

/** Eight connections that repeat the same request of so many bytes, as fast as they get answers. */
public record RequestLoad(URI address, int requestBytes, List<Load> loads) {

    private static final int CONNECTIONS = 8;
    private static final long LONG_ENOUGH_MS = 1_500;

    /** Enough rounds for the JIT, which needs some 20 s of load to compile a route. */
    private static final int WARM_UPS = 14;

    /** The request of one connection. */
    @FunctionalInterface
    public interface Load {
        /** Sends it, and waits for the answer. */
        void send(LoadConnection connection) throws IOException;
    }

    /** Returns a load of pushes of LeNet-5's gradients, which may ask for the new parameters; each connection is a worker. */
    public static RequestLoad pushes(Programs.Server server, boolean isPulling) throws IOException {
        List<GradientPushes> workers = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            workers.add(new GradientPushes(
                    server.client(), Networks.usual("lenet5").spec().layout(), isPulling));
        }
        List<Load> loads = workers.stream().<Load>map(worker -> worker::push).toList();
        return new RequestLoad(server.address(), workers.get(0).requestBytes(), loads);
    }

    /** Returns a load of requests for a path. */
    public static RequestLoad gets(Programs.Server server, String path) {
        return same(server.address(), LoadConnection.get(path));
    }

    /** Returns a load that repeats these bytes. */
    static RequestLoad same(URI address, byte[] request) {
        return new RequestLoad(
                address, request.length, Collections.nCopies(CONNECTIONS, connection -> connection.exchange(request)));
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

package org.fleetgrad.benchmarks.requests;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.benchmarks.figures.Against;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Goal;
import org.fleetgrad.benchmarks.figures.Medians;
import org.fleetgrad.benchmarks.figures.Rounds;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.tensor.TensorLayout;

/** Requests a second over 8 connections, beside loopback TCP with the same bytes both ways. */
public final class RequestRates {

    private static final int CONNECTIONS = 8;
    private static final long WARM_UP_MS = 2_000;
    private static final long ROUND_MS = 1_500;
    private static final int SMALL_ANSWER = 90;

    private static final double GET_PARAMETER_GOAL = 15_000;
    private static final double GET_VERSION_GOAL = 30_000;
    private static final double PUT_GRADIENT_GOAL = 6_000;

    private final Workbench bench;
    private final TensorLayout layout = Networks.named("lenet5").spec().layout();

    /** Measures on this workbench. */
    public RequestRates(Workbench bench) {
        this.bench = bench;
    }

    /** What one connection sends, again and again. */
    @FunctionalInterface
    private interface Load {
        void send(LoadConnection connection) throws IOException;
    }

    /** Gives each connection its load. */
    @FunctionalInterface
    private interface Loads {
        Load of(int connection);
    }

    /** The two that take turns. */
    private enum Side {
        OURS,
        LIMIT
    }

    /** Pulls of LeNet-5. */
    public Figure getParameter() throws Exception {
        byte[] request = LoadConnection.get(Routes.GET_PARAMETER);
        int body = (int) layout.byteLength() + 1024;
        Programs.Server server = bench.programs().startServerWithParameters();
        return compare(
                        "getParameter",
                        "pulls of 247 KB, 8 connections",
                        server,
                        request.length,
                        body,
                        i -> connection -> connection.exchange(request))
                .withGoal(Goal.atLeast(GET_PARAMETER_GOAL));
    }

    /** Asking for the version. */
    public Figure getVersion() throws Exception {
        byte[] request = LoadConnection.get(Routes.GET_VERSION);
        Programs.Server server = bench.programs().startServerWithParameters();
        return compare(
                        "getVersion",
                        "version asked, 8 connections",
                        server,
                        request.length,
                        SMALL_ANSWER,
                        i -> connection -> connection.exchange(request))
                .withGoal(Goal.atLeast(GET_VERSION_GOAL));
    }

    /** Pushes of LeNet-5's gradients, every one applied. */
    public Figure putGradient() throws Exception {
        Programs.Server server = bench.programs().startServerWithParameters();
        List<GradientPushes> pushes = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            pushes.add(new GradientPushes(server.client(), layout, false));
        }
        int bytes = pushes.get(0).requestBytes();
        return compare(
                        "putGradient",
                        "pushes of 247 KB, applied, 8 connections",
                        server,
                        bytes,
                        SMALL_ANSWER,
                        i -> pushes.get(i)::push)
                .withGoal(Goal.atLeast(PUT_GRADIENT_GOAL));
    }

    private Figure compare(
            String name, String what, Programs.Server server, int requestBytes, int bodyBytes, Loads loads)
            throws Exception {
        try (LoopbackAnswer loopback = new LoopbackAnswer(requestBytes, bodyBytes)) {
            byte[] raw = new byte[requestBytes];
            Loads rawLoads = i -> connection -> connection.exchange(raw);
            rate(server.address(), loads, WARM_UP_MS);
            Medians<Side> medians = new Rounds<>(bench.rounds(), List.of(Side.values())).medians(side -> new double[] {
                side == Side.OURS
                        ? rate(server.address(), loads, ROUND_MS)
                        : rate(loopback.address(), rawLoads, ROUND_MS)
            });
            return new Figure(
                    name,
                    what,
                    "requests/s",
                    medians.of(Side.OURS),
                    Against.limit(medians.of(Side.LIMIT), "loopback TCP, the same bytes, a thread a connection"));
        }
    }

    private static double rate(URI address, Loads loads, long forMs) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        AtomicBoolean stop = new AtomicBoolean();
        List<Future<Long>> counts = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < CONNECTIONS; i++) {
            Load load = loads.of(i);
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
        Thread.sleep(forMs);
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

package org.fleetgrad.simulation.scale;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.SimulatedClients;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.simulation.disk.ForgetfulDisk;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.kernel.VirtualClock;
import org.fleetgrad.simulation.network.SimulatedTransport;
import org.fleetgrad.simulation.server.Faults;
import org.fleetgrad.simulation.server.ServerSettings;
import org.fleetgrad.simulation.server.SimulatedServer;
import org.fleetgrad.simulation.worker.SampleShards;
import org.fleetgrad.simulation.worker.SimulatedWorker;
import org.fleetgrad.worker.training.TrainingTask.Transfer;

/** A simulated training that tells how many batches a second its workers compute. */
final class Fleet implements SimulatedServer.Lives {

    /** Stands for networks of any size. */
    private static final String NETWORK = "tabular?hidden=32,32";

    private static final int BATCH_SIZE = 2;
    private static final int SHARD_SIZE = 512;
    private static final long ENDLESS = 1_000_000;

    /** Batches of each worker before the measurement, at least; fewer where there are many workers. */
    private static final int WARM_UP = 25;

    private static final int LEAST_WARM_UP = 4;

    /** Batches of each worker in the measurement, on average; fewer where there are many workers. */
    private static final int MEASURED = 40;

    private static final int LEAST_MEASURED = 8;

    /** With so many workers there are fewer batches of each. */
    private static final int MANY = 8;

    private static final Duration LONG = Duration.ofDays(300);

    private final FleetPlan plan;
    private final Kernel kernel;
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final List<Machine> places = new ArrayList<>();
    private final TimedCarrier.Network network;
    private final SampleShards shards;
    private final int[] batches;
    private boolean isOver;

    private Fleet(FleetPlan plan, long seed) {
        this.plan = plan;
        this.kernel = new Kernel(new Random(seed));
        this.batches = new int[plan.workers()];
        this.shards = SampleShards.of(plan.workers(), SHARD_SIZE, ENDLESS);
        long small = Networks.named(NETWORK, shards.task()).spec().layout().elementCount();
        this.network = new TimedCarrier.Network(
                new Flows(kernel),
                plan.latency(),
                (double) plan.parameters() / small,
                plan.parameters() / plan.servers(),
                plan.costs());
        PsProperties properties = ServerSettings.of(plan.settings());
        for (int i = 0; i < plan.servers(); i++) {
            servers.add(new SimulatedServer(
                    i, properties, kernel, new ForgetfulDisk(kernel.random()), new Faults() {}, this));
            places.add(Machine.of(kernel, plan.bitsASecond(), plan.costs().processors()));
        }
    }

    /** Lets the workers train for a while, once all are under way. */
    static FleetSpeed run(FleetPlan plan) {
        return run(plan, 1);
    }

    /** Does so with the steps of a seed. */
    static FleetSpeed run(FleetPlan plan, long seed) {
        return new Fleet(plan, seed).measure();
    }

    private FleetSpeed measure() {
        try {
            servers.forEach(SimulatedServer::start);
            kernel.start("command", this::putWork);
            for (int i = 0; i < plan.workers(); i++) {
                startWorker(i);
            }
            require(kernel.runUntil(
                    LONG, () -> Arrays.stream(batches).allMatch(count -> count >= batches(WARM_UP, LEAST_WARM_UP))));
            long begin = kernel.nanos();
            long before = total();
            Map<Limit, Double> busy = busy();
            long wanted = before + (long) batches(MEASURED, LEAST_MEASURED) * plan.workers();
            require(kernel.runUntil(LONG, () -> total() >= wanted));
            double nanos = kernel.nanos() - begin;
            Map<Limit, Double> shares = new EnumMap<>(Limit.class);
            busy().forEach((limit, until) -> shares.put(limit, (until - busy.getOrDefault(limit, 0.0)) / nanos));
            return new FleetSpeed(plan, (total() - before) / (nanos / 1e9), shares);
        } finally {
            isOver = true;
            kernel.end();
        }
    }

    /** Returns how long the busiest server's things were busy so far. */
    private Map<Limit, Double> busy() {
        Map<Limit, Double> busy = new EnumMap<>(Limit.class);
        for (Machine place : places) {
            busy.merge(Limit.LINK, Math.max(place.in().busyNanos(), place.out().busyNanos()), Math::max);
            busy.merge(Limit.PROCESSORS, place.serve().busyNanos(), Math::max);
            busy.merge(Limit.APPLIER, place.apply().busyNanos(), Math::max);
        }
        return busy;
    }

    private int batches(int few, int many) {
        return Math.max(many, Math.min(few, few * MANY / plan.workers()));
    }

    private void require(boolean isReached) {
        if (!isReached) {
            throw new IllegalStateException("%s: batches %s".formatted(plan, Arrays.toString(batches)));
        }
    }

    private long total() {
        return Arrays.stream(batches).asLongStream().sum();
    }

    private ParameterServers client(Machine worker) {
        return SimulatedClients.of(
                IntStream.range(0, servers.size())
                        .mapToObj(i -> new SimulatedTransport(
                                kernel, new TimedCarrier(kernel, worker, places.get(i), network), servers.get(i)))
                        .toList(),
                new VirtualClock(kernel),
                kernel);
    }

    private void putWork() {
        try {
            client(Machine.of(kernel, plan.bitsASecond(), 1)).lead().putWork(shards.plan());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void startWorker(int index) {
        SimulatedWorker.Training training = new SimulatedWorker.Training(
                NETWORK,
                BATCH_SIZE,
                new Transfer(Encodings.parse(plan.encoding()), Encodings.parseOfParameters(plan.encoding()), false),
                Optional.empty(),
                definition -> new StepNetwork(definition.spec(), this::step, () -> batches[index]++));
        kernel.start(
                "worker-" + index,
                new SimulatedWorker(
                        Optional.of("w" + index),
                        client(Machine.of(kernel, plan.bitsASecond(), 1)),
                        training,
                        new VirtualClock(kernel),
                        kernel,
                        () -> isOver));
    }

    /** Steps differ a little, as real ones do: else all workers would send at the same time for ever. */
    private Duration step() {
        long nanos = plan.step().toNanos();
        return kernel.between(Duration.ofNanos((long) (nanos * (1 - plan.spread()))), Duration.ofNanos((long)
                        (nanos * (1 + plan.spread()))))
                .plus(plan.exchange());
    }

    @Override
    public void recovered(SimulatedServer server) {}

    @Override
    public void notRecovered(SimulatedServer server, IOException why) {
        throw new IllegalStateException("server %d does not start".formatted(server.index()), why);
    }
}

package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.SimulatedClients;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.simulation.disk.ForgetfulDisk;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.kernel.VirtualClock;
import org.fleetgrad.simulation.network.SimulatedTransport;
import org.fleetgrad.simulation.network.Weather;
import org.fleetgrad.simulation.network.Wire;
import org.fleetgrad.simulation.server.ServerSettings;
import org.fleetgrad.simulation.server.SimulatedServer;
import org.fleetgrad.simulation.worker.SampleShards;

/**
 * One training with its servers, workers, network and disks, in a simulated time. First faults happen; then they end, and everything
 * must be done within a bounded time. One seed has one history.
 */
final class World implements SimulatedServer.Lives {

    /** The longest time from the end of the faults until everything is done. */
    private static final Duration LIVENESS = Duration.ofMinutes(20);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final WorldPlan plan;
    private final Kernel kernel;
    private final Witness witness;
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final Wire wire;
    private final SampleShards shards;
    private final Driver driver;
    private final WorkerMachines workers;
    private final Mishaps mishaps;
    private boolean isOver;

    World(long seed, WorldPlan plan, Mutant mutant) {
        this.plan = plan;
        this.kernel = new Kernel(Draw.random(~seed));
        this.witness = new Witness(this::lost);
        this.wire = new Wire(kernel, this::weather, witness);
        this.shards = plan.data().made();
        PsProperties properties = ServerSettings.of(plan.settings());
        for (int i = 0; i < plan.servers().count(); i++) {
            ForgetfulDisk disk = new ForgetfulDisk(kernel.random());
            servers.add(new SimulatedServer(i, properties, kernel, disk, mutant, this));
        }
        this.driver = new Driver(kernel, shards, this::client, () -> isOver);
        this.workers = new WorkerMachines(kernel, plan.workers(), this::client, () -> isOver);
        this.mishaps = new Mishaps(kernel, plan, servers, workers, driver, new Operator(kernel, this::client));
    }

    private void lost(SimulatedServer server) {
        if (!areFaultsOver()) {
            mishaps.afterLoss(server);
        }
    }

    private Weather weather() {
        return areFaultsOver() ? Weather.CALM : plan.faults().weather();
    }

    private boolean areFaultsOver() {
        return kernel.nanos() >= plan.faults().length().toNanos();
    }

    /** Lets it happen, and checks it. */
    void run() {
        try {
            servers.forEach(SimulatedServer::start);
            driver.start();
            for (int i = 1; i < plan.faults().drivers(); i++) {
                kernel.start("command", this::putWork);
            }
            workers.start();
            mishaps.schedule();
            kernel.after(plan.faults().length(), mishaps::end);
            kernel.after(LOOK, this::supervise);
            boolean isDone = kernel.runUntil(plan.faults().length().plus(LIVENESS), this::isDone);
            assertThat(isDone)
                    .as("not done %s after the last fault: %s", LIVENESS, this)
                    .isTrue();
            settle();
            new Oracle(plan, shards, driver::atWork).check(servers);
        } finally {
            isOver = true;
            kernel.end();
        }
    }

    /** Returns a number of its history, the virtual time included. */
    long history() {
        return 31 * witness.history() + kernel.nanos();
    }

    /** Does what a service's supervisor does, and what the command of a run does for its workers. */
    private void supervise() {
        servers.forEach(SimulatedServer::supervise);
        // A server that was set back to a checkpoint has work again of which its workers knew that it was done.
        if (!isWorkDone()) {
            workers.startThoseThatAreDone();
        }
        kernel.after(LOOK, this::supervise);
    }

    private ParameterServers client() {
        return SimulatedClients.of(
                servers.stream()
                        .map(server -> new SimulatedTransport(kernel, wire, server))
                        .toList(),
                new VirtualClock(kernel),
                kernel);
    }

    /** Does what another command does that was started for the same run. */
    private void putWork() {
        try {
            Object unused = client().lead().putWork(shards.plan());
        } catch (IOException away) {
            // The first command has more patience.
        }
    }

    private boolean isDone() {
        return areFaultsOver()
                && driver.isWorkPut()
                && servers.stream().allMatch(SimulatedServer::isRunning)
                && isWorkDone()
                && workers.areAllDone();
    }

    /** Tells whether all work is done, that which was added included. */
    private boolean isWorkDone() {
        return lead().flatMap(Training::work).filter(WorkQueue.Figures::isDone).isPresent();
    }

    private Optional<Training> lead() {
        return servers.get(0).training();
    }

    /** Lets the last copies arrive and all leases end, and settles what dead workers left. */
    private void settle() {
        Duration last = plan.faults().length().plus(Wire.LATEST_COPY);
        Duration now = Duration.ofNanos(kernel.nanos());
        Duration quiet = now.compareTo(last) > 0 ? now : last;
        kernel.runUntil(quiet.plus(WorldPlan.LEASE).plus(LOOK), () -> false);
        Fiber settler = kernel.start("settler", () -> {
            try {
                SimulatedClients.settle(client(), kernel);
            } catch (IOException away) {
                throw new IllegalStateException(away);
            }
        });
        kernel.runUntil(Duration.ofNanos(kernel.nanos()).plus(LIVENESS), settler::isOver);
        // A step that no worker waits for is made by a server's timer.
        kernel.runUntil(Duration.ofNanos(kernel.nanos()).plus(LOOK), () -> false);
    }

    @Override
    public void recovered(SimulatedServer server) {
        witness.recovered(server);
    }

    @Override
    public void notRecovered(SimulatedServer server, IOException why) {
        if (!mishaps.explain(why)) {
            throw new AssertionError("server %d does not start".formatted(server.index()), why);
        }
    }

    @Override
    public String toString() {
        return "%s; servers %s; work %s; %s; %s"
                .formatted(
                        plan,
                        IntStream.range(0, servers.size())
                                .mapToObj(i -> servers.get(i).isRunning() + "@"
                                        + servers.get(i).version())
                                .toList(),
                        lead().flatMap(Training::work),
                        driver,
                        workers);
    }
}

package org.fleetgrad.simulation.world;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.kernel.VirtualClock;
import org.fleetgrad.simulation.server.SimulatedServer;

/** Lets machines fail: power, disks, clocks, processes. */
final class Mishaps {

    private static final Duration LONGEST_FULL = Duration.ofSeconds(8);
    private static final Duration SOON = Duration.ofMillis(500);
    private static final double RESTART_AFTER_LOSS = 0.4;
    private static final int MOST_CHANGES = 40;
    private static final int MOST_CHANGES_OF_DRIVER = 4;

    private final Kernel kernel;
    private final WorldPlan plan;
    private final List<SimulatedServer> servers;
    private final WorkerMachines workers;
    private final Driver driver;
    private final Operator operator;

    Mishaps(
            Kernel kernel,
            WorldPlan plan,
            List<SimulatedServer> servers,
            WorkerMachines workers,
            Driver driver,
            Operator operator) {
        this.kernel = kernel;
        this.plan = plan;
        this.servers = servers;
        this.workers = workers;
        this.driver = driver;
        this.operator = operator;
    }

    /** Schedules what happens in this world. */
    void schedule() {
        Duration length = plan.faults().length();
        for (int i = 0; i < plan.faults().mishaps(); i++) {
            kernel.after(kernel.between(Duration.ZERO, length), this::happen);
        }
    }

    private void happen() {
        SimulatedServer server = servers.get(kernel.random().nextInt(servers.size()));
        switch (kernel.random().nextInt(12)) {
            case 0, 1 -> server.kill();
            case 2, 3 -> server.killAtChange(kernel.random().nextInt(MOST_CHANGES));
            case 4 -> server.restart();
            case 5 -> fillDisk(server);
            case 6 -> setWrong(server.clock());
            case 7 -> setWrong(workers.anyClock());
            case 8 -> driver.kill(kernel.random().nextInt(MOST_CHANGES_OF_DRIVER));
            case 9 -> rollBack();
            default -> workers.killOne();
        }
    }

    private void setWrong(VirtualClock clock) {
        Duration most = plan.faults().mostSkew();
        clock.set(kernel.between(most.negated(), most));
    }

    /** Rolls back a run of one server: several would have to agree, and nobody promises that. */
    private void rollBack() {
        if (servers.size() == 1) {
            operator.rollBack();
        }
    }

    /** A client repeats its request: the server may be another process by then. */
    void afterLoss(SimulatedServer server) {
        if (kernel.chance(RESTART_AFTER_LOSS)) {
            Runnable end = kernel.chance(0.5) ? server::restart : server::kill;
            kernel.after(kernel.between(Duration.ZERO, SOON), end);
        }
    }

    private void fillDisk(SimulatedServer server) {
        server.disk().setFull(true);
        kernel.after(
                kernel.between(Duration.ZERO, LONGEST_FULL), () -> server.disk().setFull(false));
    }

    /** Ends the faults: no disk stays full, and no server dies at a change that comes later. */
    void end() {
        servers.forEach(server -> {
            server.disk().setFull(false);
            server.killAtChange(Integer.MAX_VALUE);
        });
    }

    /** Tells whether a fault of this world is why a server does not start. */
    boolean explain(IOException why) {
        for (Throwable cause = why; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).contains("No space left on device")) {
                return true;
            }
        }
        return false;
    }
}

package org.fleetgrad.simulation.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.simulation.disk.DiskMount;
import org.fleetgrad.simulation.disk.ForgetfulDisk;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.kernel.VirtualClock;
import org.jspecify.annotations.Nullable;

/** A machine with a parameter server, which may lose its power, and starts again. Its supervisor restarts a server that cannot go on. */
public final class SimulatedServer {

    private static final Duration LONGEST_RESTART = Duration.ofSeconds(5);

    private final int index;
    private final PsProperties properties;
    private final Kernel kernel;
    private final VirtualClock clock;
    private final ForgetfulDisk disk;
    private final Faults faults;
    private final Lives watch;
    private int lives;
    private @Nullable ServerLife life;

    /** Watches a server's starts. */
    public interface Lives {

        /** A server has recovered its run. */
        void recovered(SimulatedServer server);

        /** A server could not start: the disk was full, or something is wrong. */
        void notRecovered(SimulatedServer server, IOException why);
    }

    public SimulatedServer(
            int index, PsProperties properties, Kernel kernel, ForgetfulDisk disk, Faults faults, Lives watch) {
        this.index = index;
        this.properties = properties;
        this.kernel = kernel;
        this.clock = new VirtualClock(kernel);
        this.disk = disk;
        this.faults = faults;
        this.watch = watch;
        faults.prepare(disk);
    }

    public int index() {
        return index;
    }

    public VirtualClock clock() {
        return clock;
    }

    public ForgetfulDisk disk() {
        return disk;
    }

    /** Starts the process, unless it runs. */
    public void start() {
        if (isRunning()) {
            return;
        }
        DiskMount mount = disk.mount();
        try {
            life = new ServerLife(properties, kernel, clock, disk, mount, "%d_%d".formatted(index, lives++), faults);
            watch.recovered(this);
        } catch (IOException failed) {
            mount.kill();
            watch.notRecovered(this, failed);
            restartLater();
        }
    }

    private void restartLater() {
        kernel.after(kernel.between(Duration.ofMillis(200), LONGEST_RESTART), this::start);
    }

    public boolean isRunning() {
        return life != null && life.isRunning();
    }

    /** Loses the power; somebody switches it on again a while later. */
    public void kill() {
        if (life != null) {
            life.end();
            life = null;
            disk.crash();
            restartLater();
        }
    }

    /** Loses the power at one of the next changes of the disk. */
    public void killAtChange(int changes) {
        // A mount knows its own end; the next look notices it.
        if (life != null) {
            life.killAtChange(changes);
        }
    }

    /** Ends the process in order, and starts it again a while later. */
    public void restart() {
        if (life != null && life.isRunning()) {
            life.stop();
            life = null;
            restartLater();
        }
    }

    /** Does what a supervisor does: a process that has died or cannot go on starts again. */
    public void supervise() {
        if (life != null && (!life.isRunning() || life.failure().isPresent())) {
            kill();
        }
    }

    /** Begins to receive a request; breaks off at once if no process listens. */
    public ServerLife.@Nullable Arrival receive(
            String method, String pathAndQuery, Map<String, String> headers, int length, Responder client) {
        supervise();
        if (life == null) {
            client.breakOff();
            return null;
        }
        return life.begin(method, faults.path(index, pathAndQuery), headers, length, client);
    }

    /** Lets a piece of a request arrive. */
    public void deliver(ServerLife.Arrival arrival, ByteBuffer piece, boolean isLast) {
        arrival.arrive(piece, isLast);
        training().ifPresent(faults::handled);
        supervise();
    }

    /** Ends a request in the middle. */
    public void cut(ServerLife.Arrival arrival) {
        arrival.breakOff();
        supervise();
    }

    public Optional<Training> training() {
        return Optional.ofNullable(life).map(ServerLife::training);
    }

    public Optional<PublishedParameters> published() {
        return Optional.ofNullable(life).map(ServerLife::published);
    }

    public Optional<ParameterVersion> version() {
        return Optional.ofNullable(life).flatMap(ServerLife::version);
    }
}

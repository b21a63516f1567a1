package org.fleetgrad.simulation.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.Callback;
import org.fleetgrad.access.Keys;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.access.TokenKey;
import org.fleetgrad.access.Tokens;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.durability.SimulatedStores;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.operation.MemoryBudget;
import org.fleetgrad.ps.operation.Ticks;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.parameters.SnapshotMemory;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.training.InlineApplier;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.ps.web.control.ControlRoutesInProcess;
import org.fleetgrad.ps.web.exchange.HotRoutesInProcess;
import org.fleetgrad.simulation.disk.DiskMount;
import org.fleetgrad.simulation.disk.ForgetfulDisk;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.kernel.VirtualClock;
import org.fleetgrad.web.StrictJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A server's process, from its start until it dies. */
public final class ServerLife {

    private static final long PLENTY = 1L << 40;
    private static final int MOST_WORKERS = 1_024;
    private static final Duration TICK = Duration.ofMillis(500);
    private static final JsonMapper JSON =
            StrictJson.apply(JsonMapper.builder()).build();
    private static final Set<String> HOT = Set.of(
            Routes.GET_VERSION,
            Routes.GET_PARAMETER,
            Routes.PUT_PARAMETER,
            Routes.PUT_GRADIENT,
            Routes.SETTLE_GRADIENT);

    private final Kernel kernel;
    private final DiskMount mount;
    private final PublishedParameters published =
            new PublishedParameters(Integer.MAX_VALUE, new SnapshotMemory(PLENTY, true));
    private final Leases leases;
    private final Training training;
    private final Handler hot;
    private final ControlRoutesInProcess control;
    private final Runnable tick;
    private final Set<Responder> open = new LinkedHashSet<>();
    private boolean isOver;

    /**
     * Starts, and recovers what is on the disk.
     *
     * @param names  number of the process, which makes the names that it draws unlike those of others
     * @param faults what is wrong with it on purpose
     * @throws IOException if it cannot
     */
    ServerLife(
            PsProperties properties,
            Kernel kernel,
            VirtualClock clock,
            ForgetfulDisk disk,
            DiskMount mount,
            String names,
            Faults faults)
            throws IOException {
        this.kernel = kernel;
        this.mount = mount;
        Names drawn = new Names(names);
        this.leases = new Leases(
                faults.ofLeases(new VirtualClock(kernel), clock), properties.lease(), MOST_WORKERS, drawn::worker);
        RunHistory course = new RunHistory();
        TrainingStore store = SimulatedStores.open(
                properties.durability().settings(),
                properties.training(),
                mount.path("/ps"),
                clock,
                kernel,
                written -> course.add(new RunHistory.Checkpoint(clock.millis(), written.number(), written.version())));
        this.training = InlineApplier.training(
                properties.training(),
                drawn::generation,
                published,
                leases,
                course,
                new TrainingRun.Quiet(),
                faults.store(store, disk));
        try {
            training.recovered().get();
        } catch (ExecutionException failed) {
            throw new IOException("the run was not recovered", failed.getCause());
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        MemoryBudget budget = new MemoryBudget(
                properties::training, properties.pendingLimit(), true, PLENTY, PLENTY, OptionalLong.empty());
        TokenIssuer issuer =
                new TokenIssuer(new Keys(Map.of()), new Tokens(TokenKey.random(), clock, Duration.ofMinutes(15)));
        this.hot = HotRoutesInProcess.of(properties, training, published, leases, budget, JSON, kernel);
        this.control = new ControlRoutesInProcess(properties, training, published, leases, course, issuer, clock, JSON);
        this.tick = Ticks.of(leases, training, published);
        kernel.after(TICK, this::tick);
    }

    /** Draws names that no other process draws. */
    private static final class Names {
        private final String process;
        private int drawn;

        Names(String process) {
            this.process = process;
        }

        String worker() {
            return "worker-%s-%d".formatted(process, drawn++);
        }

        String generation() {
            return "g%s_%d".formatted(process, drawn++);
        }
    }

    private void tick() {
        if (isRunning()) {
            tick.run();
            kernel.after(TICK, this::tick);
        }
    }

    boolean isRunning() {
        return !isOver && !mount.isDead();
    }

    Training training() {
        return training;
    }

    PublishedParameters published() {
        return published;
    }

    Optional<ParameterVersion> version() {
        return published.version();
    }

    /** Returns why it needs a restart; empty while it takes gradients. */
    Optional<String> failure() {
        return training.failure();
    }

    void killAtChange(int changes) {
        mount.killAfter(changes);
    }

    /** Ends in order. */
    void stop() {
        training.close();
        end();
    }

    /** Dies: nothing that it does from here on has an effect. */
    void end() {
        isOver = true;
        mount.kill();
        List.copyOf(open).forEach(Responder::breakOff);
        open.clear();
    }

    /** Begins to handle a request, whose body arrives later. */
    Arrival begin(String method, String pathAndQuery, Map<String, String> headers, int length, Responder client) {
        open.add(client);
        String path = pathAndQuery.split("\\?", 2)[0];
        if (!HOT.contains(path)) {
            return new ControlArrival(method, pathAndQuery, headers.get(HeaderNames.WORKER), client);
        }
        Map<String, String> all = new HashMap<>(headers);
        all.put("Content-Length", Integer.toString(length));
        ArrivingRequest request =
                new ArrivingRequest(method, pathAndQuery, all, this::later, new VirtualTimer(kernel, this::isRunning));
        CollectedResponse response = new CollectedResponse(request);
        Callback done = Callback.from(() -> respond(client, response.collected()), gone -> {
            if (open.remove(client)) {
                client.breakOff();
            }
        });
        return new HotArrival(request, () -> {
            try {
                if (!hot.handle(request, response, done)) {
                    throw new IllegalStateException("no hot route handles " + pathAndQuery);
                }
            } catch (Exception bug) {
                kernel.fail(bug);
            }
        });
    }

    private void later(Runnable part) {
        kernel.after(Duration.ZERO, () -> {
            if (isRunning()) {
                part.run();
            }
        });
    }

    private void respond(Responder client, Transport.Response response) {
        if (isRunning() && open.remove(client)) {
            client.respond(response);
        }
    }

    /** A request that arrives. */
    public interface Arrival {

        void arrive(ByteBuffer piece, boolean isLast);

        void breakOff();
    }

    private final class HotArrival implements Arrival {
        private final ArrivingRequest request;
        private final Runnable handler;
        private boolean isBegun;

        HotArrival(ArrivingRequest request, Runnable handler) {
            this.request = request;
            this.handler = handler;
        }

        @Override
        public void arrive(ByteBuffer piece, boolean isLast) {
            if (isRunning()) {
                if (piece.hasRemaining()) {
                    request.arrive(piece, isLast);
                }
                begin();
            }
        }

        @Override
        public void breakOff() {
            if (isRunning()) {
                request.breakOff();
                begin();
            }
        }

        private void begin() {
            if (!isBegun) {
                isBegun = true;
                handler.run();
            }
        }
    }

    private final class ControlArrival implements Arrival {
        private final String method;
        private final String pathAndQuery;
        private final Optional<String> sender;
        private final Responder client;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        ControlArrival(String method, String pathAndQuery, @Nullable String sender, Responder client) {
            this.method = method;
            this.pathAndQuery = pathAndQuery;
            this.sender = Optional.ofNullable(sender);
            this.client = client;
        }

        @Override
        public void arrive(ByteBuffer piece, boolean isLast) {
            byte[] bytes = new byte[piece.remaining()];
            piece.get(bytes);
            body.writeBytes(bytes);
            if (isLast && isRunning()) {
                String[] parts = pathAndQuery.split("\\?worker=", 2);
                Optional<String> worker = parts.length == 2 ? Optional.of(parts[1]) : Optional.empty();
                ServerLife.this.respond(client, control.handle(method, parts[0], worker, sender, body.toByteArray()));
            }
        }

        @Override
        public void breakOff() {
            open.remove(client);
        }
    }
}

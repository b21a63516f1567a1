package org.fleetgrad.simulation.network;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Supplier;
import org.fleetgrad.client.internal.http.Transport.Request;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.simulation.kernel.Awaited;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.server.Responder;
import org.fleetgrad.simulation.server.ServerLife.Arrival;
import org.fleetgrad.simulation.server.SimulatedServer;

/**
 * Carries requests to servers and their responses back: late, in another order, in pieces, cut at any byte, twice, or not at all. A
 * copy is a request that a client or a proxy sent before and gave up: its response goes nowhere.
 */
public final class Wire implements Carrier {

    /** The longest delay of a copy: longer than any client repeats its request. */
    public static final Duration LATEST_COPY = Duration.ofSeconds(90);

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);
    private static final double PIECES = 0.2;

    private final Kernel kernel;
    private final Supplier<Weather> weather;
    private final Seen seen;

    /** Sees every response that a server has sent. */
    public interface Seen {
        void sent(SimulatedServer from, Request request, Response response);

        /** The client does not get it. */
        void lost(SimulatedServer from);
    }

    public Wire(Kernel kernel, Supplier<Weather> weather, Seen seen) {
        this.kernel = kernel;
        this.weather = weather;
        this.seen = seen;
    }

    @Override
    public void send(SimulatedServer to, Request request, Awaited<Outcome> outcome) {
        byte[] body = Carrier.body(request);
        Weather now = weather.get();
        if (kernel.chance(now.copy())) {
            kernel.after(
                    kernel.between(Duration.ZERO, LATEST_COPY),
                    () -> arrive(to, request, body, new Nobody(to, request)));
        }
        if (kernel.chance(now.loss() / 2)) {
            // The client may be told that its connection is gone, or wait in vain.
            breakOffSometimes(outcome);
            return;
        }
        Caller caller = new Caller(to, request, outcome, kernel.chance(now.loss() / 2));
        kernel.after(delay(), () -> {
            if (body.length > 0 && kernel.chance(now.cut())) {
                cut(to, request, body, outcome);
            } else {
                arrive(to, request, body, caller);
            }
        });
    }

    private Duration delay() {
        return kernel.between(Duration.ZERO, weather.get().mostDelay());
    }

    private void breakOffSometimes(Awaited<Outcome> outcome) {
        if (kernel.chance(0.7)) {
            kernel.after(delay(), () -> outcome.give(new Outcome.BrokenOff()));
        }
    }

    private void arrive(SimulatedServer to, Request request, byte[] body, Responder client) {
        Arrival arrival = Carrier.begin(to, request, body, client);
        if (arrival == null) {
            return;
        }
        if (body.length < 2 || !kernel.chance(PIECES)) {
            to.deliver(arrival, ByteBuffer.wrap(body), true);
            return;
        }
        int at = 1 + kernel.random().nextInt(body.length - 1);
        to.deliver(arrival, ByteBuffer.wrap(body, 0, at), false);
        kernel.after(
                kernel.between(Duration.ZERO, LONGEST_PAUSE),
                () -> to.deliver(arrival, ByteBuffer.wrap(body, at, body.length - at), true));
    }

    private void cut(SimulatedServer to, Request request, byte[] body, Awaited<Outcome> outcome) {
        Arrival arrival = Carrier.begin(to, request, body, new Nobody(to, request));
        if (arrival != null) {
            to.deliver(arrival, ByteBuffer.wrap(body, 0, kernel.random().nextInt(body.length)), false);
            to.cut(arrival);
        }
        breakOffSometimes(outcome);
    }

    /** The client that waits. */
    private final class Caller implements Responder {
        private final SimulatedServer server;
        private final Request request;
        private final Awaited<Outcome> outcome;
        private final boolean isLost;

        Caller(SimulatedServer server, Request request, Awaited<Outcome> outcome, boolean isLost) {
            this.server = server;
            this.request = request;
            this.outcome = outcome;
            this.isLost = isLost;
        }

        @Override
        public void respond(Response response) {
            seen.sent(server, request, response);
            if (isLost) {
                seen.lost(server);
                breakOffSometimes(outcome);
            } else {
                kernel.after(delay(), () -> outcome.give(new Outcome.Answered(response)));
            }
        }

        @Override
        public void breakOff() {
            kernel.after(delay(), () -> outcome.give(new Outcome.BrokenOff()));
        }
    }

    /** The sender of a copy or of a cut request: nobody waits any more. */
    private final class Nobody implements Responder {
        private final SimulatedServer server;
        private final Request request;

        Nobody(SimulatedServer server, Request request) {
            this.server = server;
            this.request = request;
        }

        @Override
        public void respond(Response response) {
            seen.sent(server, request, response);
        }

        @Override
        public void breakOff() {}
    }
}

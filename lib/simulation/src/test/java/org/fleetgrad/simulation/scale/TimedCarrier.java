package org.fleetgrad.simulation.scale;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import org.fleetgrad.client.internal.http.Transport.Request;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.simulation.kernel.Awaited;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.network.Carrier;
import org.fleetgrad.simulation.server.Responder;
import org.fleetgrad.simulation.server.ServerLife.Arrival;
import org.fleetgrad.simulation.server.SimulatedServer;

/**
 * Carries messages between one worker and one server, and lets them take the time that the links and the server's processors need.
 * Nothing is lost.
 *
 * <p>The messages of a small network stand for those of a large one: their tensors count as {@code magnification} times the bytes.
 */
final class TimedCarrier implements Carrier {

    /** What HTTP and TCP add to a message. */
    private static final long HEAD_BYTES = 300;

    private static final int LENGTH_BYTES = 8;
    private static final int LONGEST_HEADER = 1 << 20;

    private final Kernel kernel;
    private final Machine worker;
    private final Machine server;
    private final Network network;

    /**
     * What the machines are connected by, and what they say.
     *
     * @param flows         the messages on their way
     * @param latency       of a message
     * @param magnification bytes of a tensor for each byte in the simulation
     * @param values        parameters of the network that the small one stands for, at each server
     * @param costs         the server's work
     */
    record Network(Flows flows, Duration latency, double magnification, long values, ServerCosts costs) {}

    TimedCarrier(Kernel kernel, Machine worker, Machine server, Network network) {
        this.kernel = kernel;
        this.worker = worker;
        this.server = server;
        this.network = network;
    }

    @Override
    public void send(SimulatedServer to, Request request, Awaited<Outcome> outcome) {
        byte[] body = Carrier.body(request);
        double bytes = size(ByteBuffer.wrap(body));
        pass(
                worker.out(),
                server.in(),
                bytes,
                () -> server.serve().serve(network.costs().serving(bytes), () -> {
                    Runnable arrives = () -> arrive(to, request, body, outcome);
                    if (request.uri().getRawPath().endsWith(Routes.PUT_GRADIENT)) {
                        server.apply().serve(network.costs().applying(network.values()), arrives);
                    } else {
                        arrives.run();
                    }
                }));
    }

    private void pass(Link from, Link to, double bytes, Runnable then) {
        network.flows().send(from, to, bytes, () -> kernel.after(network.latency(), then));
    }

    private void arrive(SimulatedServer to, Request request, byte[] body, Awaited<Outcome> outcome) {
        Arrival arrival = Carrier.begin(to, request, body, new Answer(outcome));
        if (arrival == null) {
            throw new IllegalStateException("server %d does not run".formatted(to.index()));
        }
        to.deliver(arrival, ByteBuffer.wrap(body), true);
    }

    /** Sends the response back. */
    private final class Answer implements Responder {
        private final Awaited<Outcome> outcome;

        Answer(Awaited<Outcome> outcome) {
            this.outcome = outcome;
        }

        @Override
        public void respond(Response response) {
            double bytes = size(response.body().duplicate());
            server.serve()
                    .serve(
                            network.costs().serving(bytes),
                            () -> pass(
                                    server.out(),
                                    worker.in(),
                                    bytes,
                                    () -> outcome.give(new Outcome.Answered(response))));
        }

        @Override
        public void breakOff() {
            throw new IllegalStateException("a server broke a connection off");
        }
    }

    /** Returns the bytes of the message that this one stands for: of safetensors, the header as it is, and the data magnified. */
    private double size(ByteBuffer body) {
        if (body.remaining() <= LENGTH_BYTES) {
            return HEAD_BYTES + body.remaining();
        }
        long header = body.order(ByteOrder.LITTLE_ENDIAN).getLong(body.position());
        if (header < 2 || header > LONGEST_HEADER || header > body.remaining() - LENGTH_BYTES) {
            return HEAD_BYTES + body.remaining();
        }
        long data = body.remaining() - LENGTH_BYTES - header;
        return (double) (HEAD_BYTES + LENGTH_BYTES + header) + data * network.magnification();
    }
}

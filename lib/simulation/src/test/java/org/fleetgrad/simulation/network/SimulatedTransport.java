package org.fleetgrad.simulation.network;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.simulation.kernel.Awaited;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.network.Carrier.Outcome;
import org.fleetgrad.simulation.server.SimulatedServer;

/** A client's connections to one server. The calling fiber waits. */
public record SimulatedTransport(Kernel kernel, Carrier carrier, SimulatedServer server) implements Transport {

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    @Override
    public Response exchange(Request request) throws IOException {
        Awaited<Outcome> outcome = new Awaited<>(kernel);
        carrier.send(server, request, outcome);
        Optional<Outcome> came = outcome.await(READ_TIMEOUT.plus(request.silence()));
        if (came.isEmpty()) {
            throw new IOException("no response");
        }
        if (came.get() instanceof Outcome.Answered answered) {
            return answered.response();
        }
        throw new IOException("the connection is gone");
    }
}

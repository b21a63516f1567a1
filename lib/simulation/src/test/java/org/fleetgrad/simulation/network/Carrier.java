package org.fleetgrad.simulation.network;

import java.nio.ByteBuffer;
import java.util.Map;
import org.fleetgrad.client.internal.http.Transport.Request;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.simulation.kernel.Awaited;
import org.fleetgrad.simulation.server.Responder;
import org.fleetgrad.simulation.server.ServerLife.Arrival;
import org.fleetgrad.simulation.server.SimulatedServer;
import org.jspecify.annotations.Nullable;

/** Carries requests to servers, and their responses back. */
public interface Carrier {

    /** Sends a request; its outcome comes later, or never. */
    void send(SimulatedServer to, Request request, Awaited<Outcome> outcome);

    /** What a client gets: a response, or the end of its connection. */
    sealed interface Outcome {

        record Answered(Response response) implements Outcome {}

        record BrokenOff() implements Outcome {}
    }

    /** Returns the whole body of a request. */
    static byte[] body(Request request) {
        int length = request.body().stream().mapToInt(ByteBuffer::remaining).sum();
        ByteBuffer all = ByteBuffer.allocate(length);
        request.body().forEach(part -> all.put(part.duplicate()));
        return all.array();
    }

    /** Lets a request begin to arrive; nothing if no process listens. */
    static @Nullable Arrival begin(SimulatedServer to, Request request, byte[] body, Responder client) {
        String query = request.uri().getRawQuery();
        String path = request.uri().getRawPath() + (query == null ? "" : "?" + query);
        return to.receive(request.method(), path, Map.copyOf(request.headers()), body.length, client);
    }
}

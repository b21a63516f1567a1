package org.fleetgrad.simulation.server;

import org.fleetgrad.client.internal.http.Transport;

/** The way back to a client. */
public interface Responder {

    /** Gives the complete response. */
    void respond(Transport.Response response);

    /** Breaks the connection off. */
    void breakOff();
}

package org.fleetgrad.inference.web;

import org.fleetgrad.inference.body.BodyMemory;

/** A body that was read, with its reserved memory; closed once the request is answered. */
final class ReceivedBody implements AutoCloseable {

    private final byte[] bytes;
    private final BodyMemory.Reservation memory;

    ReceivedBody(byte[] bytes, BodyMemory.Reservation memory) {
        this.bytes = bytes;
        this.memory = memory;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public void close() {
        memory.close();
    }
}

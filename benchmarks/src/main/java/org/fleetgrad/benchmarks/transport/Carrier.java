package org.fleetgrad.benchmarks.transport;

import java.io.IOException;

/** Sends pushes to one server and receives whole answers. For one thread. */
interface Carrier extends AutoCloseable {

    /**
     * Sends a push and reads the body of the answer into memory, like a client.
     *
     * @param header the beginning of the body, different each time
     * @return the length of the answer's body
     * @throws IOException also on any status but 200
     */
    int push(byte[] header) throws IOException;

    @Override
    default void close() throws IOException {}
}

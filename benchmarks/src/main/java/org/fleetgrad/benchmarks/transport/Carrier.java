package org.fleetgrad.benchmarks.transport;

import java.io.IOException;

/** Carries pushes to one server and their whole answers back. For one thread. */
interface Carrier extends AutoCloseable {

    /**
     * Sends a push and takes its answer's body into memory, as a client does.
     *
     * @param header what the body begins with, another each time
     * @return the length of the answer's body
     * @throws IOException also on any status but 200
     */
    int push(byte[] header) throws IOException;

    @Override
    default void close() throws IOException {}
}

package org.fleetgrad.cli.load.question;

import java.io.IOException;

/** Carries a client's questions to one server. Used by one thread, except for {@link #close}. */
public interface Asker extends AutoCloseable {

    /**
     * An answer as it came.
     *
     * @param status the HTTP status
     * @param body   its bytes
     */
    record Reply(int status, byte[] body) {}

    /** Connects, if it is not connected. */
    void connect() throws IOException;

    /** Sends a body and returns the answer, whatever its status. After a failure the next call connects anew. */
    Reply ask(byte[] body) throws IOException;

    /** Returns how often it has connected. */
    long connections();

    /** Ends the connection, also in the middle of a question, which then fails. */
    @Override
    void close();
}

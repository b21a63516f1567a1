package org.fleetgrad.load.question;

import java.io.IOException;

/** Sends a client's requests to one server. Used by one thread, except for {@link #close}. */
public interface PredictClient extends AutoCloseable {

    /** A response as received. */
    record Reply(int status, byte[] body) {}

    /** Connects, if it is not connected. */
    void connect() throws IOException;

    /** Sends a body and returns the response, whatever its status. After a failure the next call reconnects. */
    Reply send(byte[] body) throws IOException;

    /** Sends a body of feedback on the last response to the server that it came from, and returns what that says. */
    Reply giveFeedback(byte[] body) throws IOException;

    long connections();

    /** Closes the connection; a request in flight fails. */
    @Override
    void close();
}

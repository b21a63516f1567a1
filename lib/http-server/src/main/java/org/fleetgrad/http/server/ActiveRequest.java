package org.fleetgrad.http.server;

import java.io.IOException;

/**
 * One request in its thread. While it waits for its client, another thread may end it: an interrupt closes the connection that
 * the thread reads or writes, since that is an interruptible channel. While the request is handled, nobody interrupts it.
 * Thread-safe.
 */
final class ActiveRequest {

    private final Thread thread = Thread.currentThread();
    private long since;
    private boolean isWaiting = true;
    private boolean isAborted;

    /** Begins with a wait for the request. */
    ActiveRequest(long nanos) {
        this.since = nanos;
    }

    /** Ends the wait for the request, which is complete. */
    synchronized void beginHandling() throws IOException {
        if (isAborted) {
            throw new IOException("the request did not arrive in time");
        }
        isWaiting = false;
    }

    /** Begins to wait for the client to read. */
    synchronized void beginResponse(long nanos) {
        if (!isWaiting) {
            since = nanos;
            isWaiting = true;
        }
    }

    /** The request is over; its thread may take another. */
    synchronized void finish() {
        isWaiting = false;
        // The interrupt, if there was one, was meant for this request.
        boolean unused = Thread.interrupted();
    }

    synchronized boolean isWaiting() {
        return isWaiting && !isAborted;
    }

    synchronized long since() {
        return since;
    }

    /** Closes the connection if the request still waits for its client. */
    synchronized void abort() {
        if (isWaiting && !isAborted) {
            isAborted = true;
            thread.interrupt();
        }
    }
}

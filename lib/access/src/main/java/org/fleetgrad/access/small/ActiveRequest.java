package org.fleetgrad.access.small;

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
    private boolean isEnded;

    /** Begins with a wait for the request. */
    ActiveRequest(long nanos) {
        this.since = nanos;
    }

    /** Ends the wait for the request, which is complete. */
    synchronized void answer() throws IOException {
        if (isEnded) {
            throw new IOException("the request did not come in time");
        }
        isWaiting = false;
    }

    /** Begins to wait for the client to read. */
    synchronized void send(long nanos) {
        if (!isWaiting) {
            since = nanos;
            isWaiting = true;
        }
    }

    /** The request is over; its thread may take another. */
    synchronized void leave() {
        isWaiting = false;
        // The interrupt, if there was one, was meant for this request.
        boolean unused = Thread.interrupted();
    }

    synchronized boolean isWaiting() {
        return isWaiting && !isEnded;
    }

    synchronized long since() {
        return since;
    }

    /** Closes the connection if the request still waits for its client. */
    synchronized void end() {
        if (isWaiting && !isEnded) {
            isEnded = true;
            thread.interrupt();
        }
    }
}

package org.fleetgrad.ps.web.exchange;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The unread part of a request's body, after its response. It is read and discarded as it arrives, for a limited time:
 * a connection that is closed with unread bytes is reset, and the client would not see the response. No thread waits
 * for the client.
 */
final class UnreadBody implements Runnable {

    /** Enough for a hundred megabytes at 100 Mbit/s; a client that sends longer loses the response. */
    private static final long TIMEOUT_SECONDS = 10;

    private final Request request;
    private final Runnable end;
    private final Scheduler.Task timeout;

    /**
     * @param disconnect closes the connection of a client that is too late
     * @param end        ends the request; runs once
     */
    UnreadBody(Request request, Runnable disconnect, Runnable end) {
        this.request = request;
        this.end = end;
        this.timeout = request.getComponents().getScheduler().schedule(disconnect, TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /** Reads what has arrived, and returns at once. */
    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            boolean isLast = chunk.isLast() || Content.Chunk.isFailure(chunk);
            chunk.release();
            if (isLast) {
                timeout.cancel();
                end.run();
                return;
            }
        }
    }
}

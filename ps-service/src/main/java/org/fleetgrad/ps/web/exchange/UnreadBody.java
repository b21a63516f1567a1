package org.fleetgrad.ps.web.exchange;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.fleetgrad.http.body.UnwantedBody;

/**
 * The unread part of a request's body, after its response. It is read and discarded as it arrives, as much of it as {@link
 * UnwantedBody} says. No thread waits for the client.
 */
final class UnreadBody implements Runnable {

    private final Request request;
    private final Runnable end;
    private final Scheduler.Task timeout;
    private long leftBytes;

    /**
     * @param mostBytes  bytes after which the request ends, and with it its connection
     * @param disconnect closes the connection of a client that is too late
     * @param end        ends the request; runs once
     */
    UnreadBody(Request request, long mostBytes, Runnable disconnect, Runnable end) {
        this.request = request;
        this.leftBytes = mostBytes;
        this.end = end;
        this.timeout = request.getComponents()
                .getScheduler()
                .schedule(disconnect, UnwantedBody.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
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
            leftBytes -= chunk.remaining();
            // Jetty closes the connection of a request that ends before its body.
            boolean isEnd = leftBytes < 0 || chunk.isLast() || Content.Chunk.isFailure(chunk);
            chunk.release();
            if (isEnd) {
                timeout.cancel();
                end.run();
                return;
            }
        }
    }
}

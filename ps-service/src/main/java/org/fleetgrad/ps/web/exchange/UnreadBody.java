package org.fleetgrad.ps.web.exchange;

import java.time.Duration;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * The unread part of a request's body, after its response. It is read and discarded as it arrives, for a limited time:
 * a connection that is closed with unread bytes is reset, and the client would not see the response. No thread waits
 * for the client.
 */
final class UnreadBody implements Runnable, SlowClients.Transfer {

    /** Enough for a hundred megabytes at 100 Mbit/s; a client that sends longer loses the response. */
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(10).toNanos();

    private final Exchange exchange;
    private final Request request;
    private final SlowClients clients;
    private final Runnable end;
    private final long begunNanos = System.nanoTime();
    private volatile long moved;

    /**
     * @param end ends the request; runs once
     */
    UnreadBody(Exchange exchange, SlowClients clients, Runnable end) {
        this.exchange = exchange;
        this.request = exchange.request();
        this.clients = clients;
        this.end = end;
    }

    /** Starts to read, and returns at once. */
    void begin() {
        clients.watch(this);
        run();
    }

    /** Reads what has arrived. */
    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            addMoved(chunk.remaining());
            boolean isLast = chunk.isLast() || Content.Chunk.isFailure(chunk);
            chunk.release();
            if (isLast || isLate(System.nanoTime())) {
                clients.forget(this);
                end.run();
                return;
            }
        }
    }

    /** One thread at a time writes it; other threads only read it. */
    private void addMoved(int read) {
        long before = moved;
        moved = before + read;
    }

    @Override
    public long begunNanos() {
        return begunNanos;
    }

    @Override
    public long movedBytes() {
        return moved;
    }

    @Override
    public boolean isLate(long nanoTime) {
        return nanoTime - begunNanos > TIMEOUT_NANOS;
    }

    /** Its thread sees that the connection is closed, and ends the request. */
    @Override
    public void disconnect(String why) {
        exchange.disconnect(why);
    }
}

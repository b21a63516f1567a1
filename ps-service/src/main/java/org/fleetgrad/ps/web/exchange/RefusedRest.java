package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The rest of a refused request's body. It is read and forgotten as it comes and for a while, so that the client sees the
 * answer. No thread waits for the client.
 */
final class RefusedRest implements SlowClients.Transfer {

    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final ServletInputStream in;
    private final BodyBuffers buffers;
    private final Runnable end;
    private final long begunNanos = System.nanoTime();
    private volatile long moved;
    private volatile boolean isOver;

    /**
     * @param end ends the request; may run more than once
     */
    RefusedRest(ServletInputStream in, BodyBuffers buffers, Runnable end) {
        this.in = in;
        this.buffers = buffers;
        this.end = end;
    }

    /** Reads what there is. */
    void read() throws IOException {
        ByteBuffer chunk = buffers.takeChunk();
        try {
            while (!isOver && in.isReady()) {
                chunk.clear();
                int read = in.isFinished() || isLate(System.nanoTime()) ? -1 : in.read(chunk);
                if (read < 0) {
                    end();
                } else {
                    addMoved(read);
                }
            }
        } finally {
            buffers.giveBackChunk(chunk);
        }
    }

    /** One thread at a time writes it; others only look. */
    private void addMoved(int read) {
        long before = moved;
        moved = before + read;
    }

    void end() {
        isOver = true;
        end.run();
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
        return nanoTime - begunNanos > PATIENCE_NANOS;
    }

    @Override
    public void cut(String why) {
        end();
    }
}

package org.fleetgrad.access.web;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A body that must come within a time. A stranger who sends a byte now and then would keep a thread for as long as he
 * likes: no read of it is silent for long enough that the connection is closed.
 */
final class TimedBody extends ServletInputStream {

    /** For 64 KiB, at most. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ServletInputStream body;
    private final LongSupplier nanoTime;
    private final long begin;

    TimedBody(ServletInputStream body, LongSupplier nanoTime) {
        this.body = body;
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
    }

    @Override
    public int read() throws IOException {
        requireTime();
        return body.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        requireTime();
        return body.read(into, offset, length);
    }

    private void requireTime() throws IOException {
        if (nanoTime.getAsLong() - begin > PATIENCE.toNanos()) {
            throw new IOException("the body did not end within %d s".formatted(PATIENCE.toSeconds()));
        }
    }

    @Override
    public boolean isFinished() {
        return body.isFinished();
    }

    @Override
    public boolean isReady() {
        return body.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        body.setReadListener(listener);
    }
}

package org.fleetgrad.http.body;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a body as it arrives and discards it, as much of it as {@link UnwantedBody} says. No thread waits for the client. */
final class BodyDrain implements ReadListener, AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(BodyDrain.class);
    private static final int PIECE_BYTES = 64 * 1024;

    private final AsyncContext async;
    private final ServletInputStream body;
    private final LongSupplier nanoTime;
    private final long begin;
    private long leftBytes;
    private final AtomicBoolean isOver = new AtomicBoolean();

    /** @param mostBytes bytes after which the connection is closed */
    BodyDrain(AsyncContext async, ServletInputStream body, long mostBytes, LongSupplier nanoTime) {
        this.async = async;
        this.body = body;
        this.leftBytes = mostBytes;
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
    }

    /**
     * Begins to read the unread part of a request's body, and returns at once.
     *
     * @param longestBytes the longest body that a route takes
     */
    static void begin(HttpServletRequest request, HttpServletResponse response, long longestBytes) throws IOException {
        ServletInputStream body = request.getInputStream();
        if (body.isFinished()) {
            return;
        }
        // The client gets the response while it still sends.
        response.flushBuffer();
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(UnwantedBody.TIMEOUT.toMillis());
        long mostBytes = UnwantedBody.mostBytes(request.getContentLengthLong(), longestBytes);
        BodyDrain drain = new BodyDrain(async, body, mostBytes, System::nanoTime);
        async.addListener(drain);
        body.setReadListener(drain);
    }

    @Override
    public void onDataAvailable() throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        while (!isOver.get() && body.isReady()) {
            boolean isLate = nanoTime.getAsLong() - begin >= UnwantedBody.TIMEOUT.toNanos();
            int count = isLate || body.isFinished() ? -1 : body.read(piece);
            leftBytes -= count;
            // Jetty closes the connection of a request that ends before its body.
            if (count < 0 || leftBytes < 0) {
                end();
            }
        }
    }

    @Override
    public void onAllDataRead() {
        end();
    }

    @Override
    public void onError(Throwable disconnected) {
        LOG.debug("a refused client has disconnected", disconnected);
        end();
    }

    @Override
    public void onTimeout(AsyncEvent late) {
        end();
    }

    private void end() {
        if (isOver.compareAndSet(false, true)) {
            try {
                async.complete();
            } catch (IllegalStateException over) {
                LOG.debug("the connection ended first", over);
            }
        }
    }

    @Override
    public void onError(AsyncEvent failed) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent done) {
        isOver.set(true);
    }

    @Override
    public void onStartAsync(AsyncEvent again) {
        // No asynchronous cycle begins after the response.
    }
}

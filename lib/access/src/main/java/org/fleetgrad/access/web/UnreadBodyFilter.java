package org.fleetgrad.access.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the rest of a body that a refused request is still sending; runs around everything that answers. A connection that
 * is closed with unread bytes is reset: a client in the middle of its gradient would never see why it is refused, and a
 * client that reuses connections would lose its next request on this one.
 */
public final class UnreadBodyFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(UnreadBodyFilter.class);

    /** Enough for a hundred megabytes at 100 Mbit/s; a client that sends longer loses the answer. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int PIECE_BYTES = 64 * 1024;

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } finally {
            if (mayBeUnread(request)) {
                drain(request);
            }
        }
    }

    private static boolean mayBeUnread(HttpServletRequest request) {
        boolean hasBody = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        // A client that waits for status 100 has not sent the body yet.
        return hasBody && request.getHeader("Expect") == null && !request.isAsyncStarted();
    }

    private static void drain(HttpServletRequest request) {
        try {
            if (!request.getInputStream().isFinished()) {
                drain(request.getInputStream(), System::nanoTime);
            }
        } catch (IOException gone) {
            LOG.debug("a refused client is gone", gone);
        }
    }

    static void drain(InputStream body, LongSupplier nanoTime) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        long begin = nanoTime.getAsLong();
        int read = 0;
        while (read >= 0 && nanoTime.getAsLong() - begin < PATIENCE.toNanos()) {
            read = body.read(piece);
        }
    }
}

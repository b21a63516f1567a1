package org.fleetgrad.http.body;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains the body that a refused client is still sending; runs around all handlers. A connection that is closed with
 * unread bytes is reset: a client that is still sending its gradient would never see the refusal, and a client that reuses
 * connections would lose its next request on this one. No thread waits for the client meanwhile.
 */
public final class UnreadBodyFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;
    /** The largest body that a setting of a service may allow for a route behind this filter. */
    private static final long LONGEST_BYTES = 64L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(UnreadBodyFilter.class);

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        if (mayBeUnread(request)) {
            try {
                BodyDrain.begin(request, response, LONGEST_BYTES);
            } catch (IOException | IllegalStateException disconnected) {
                LOG.debug("a refused client has disconnected", disconnected);
            }
        }
    }

    private static boolean mayBeUnread(HttpServletRequest request) {
        boolean hasBody = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        // A client that waits for status 100 has not sent the body yet.
        return hasBody && request.getHeader("Expect") == null && !request.isAsyncStarted();
    }
}

package org.fleetgrad.http.body;

import java.time.Duration;

/**
 * How much of a refused body is read and discarded, and for how long. A connection that is closed with unread bytes is reset, and its
 * client may never see the refusal: so an honest body is read to its end. Any other one is not worth the processor time.
 */
public final class UnwantedBody {

    /** Enough for a hundred megabytes at 100 Mbit/s; a client that sends longer loses the response. */
    public static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** What a client has usually sent before it can know of the refusal: the buffers of both sockets. */
    static final long UNDER_WAY_BYTES = 1 << 20;

    private UnwantedBody() {}

    /**
     * Returns the maximum number of bytes to read; beyond it, the connection is to be closed.
     *
     * @param statedBytes  the body's {@code Content-Length}; negative without one
     * @param longestBytes the longest body that its route takes
     */
    public static long mostBytes(long statedBytes, long longestBytes) {
        return statedBytes <= longestBytes ? Math.max(UNDER_WAY_BYTES, statedBytes) : UNDER_WAY_BYTES;
    }
}

package org.fleetgrad.http.server;

import java.time.Duration;

/**
 * Limits on what clients may cost a small service. A request holds a thread from its first byte to the last byte of its
 * response, since the JDK's server reads, handles and writes in one thread.
 *
 * @param working     most requests that are handled at a time
 * @param waiting     additional threads for requests that wait for their client: whose head or body is not complete yet, or
 *     whose response the client does not read. If more than these wait, the longest waiting are ended
 * @param timeout     timeout for a client's complete request, and for it to read the complete response
 * @param gracePeriod a request that has waited for a shorter time is not ended for another
 * @param bodyBytes   largest body
 */
public record SmallLimits(int working, int waiting, Duration timeout, Duration gracePeriod, int bodyBytes) {

    /** Returns the usual limits: a megabyte at 1 Mbit/s takes 8 s. */
    public static SmallLimits defaults(int working) {
        return new SmallLimits(working, 64, Duration.ofSeconds(10), Duration.ofSeconds(1), 1 << 20);
    }
}

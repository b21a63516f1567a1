package org.fleetgrad.access.small;

import java.time.Duration;

/**
 * What clients may cost a small service. A request holds a thread from its first byte to the last byte of its answer, since the
 * JDK's server reads and writes in the thread that answers.
 *
 * @param working     most requests that are answered at a time
 * @param waiting     threads beside these, for requests that wait for their client: whose head or body is not whole yet, or
 *     whose answer the client does not read. If more than these wait, those that have waited longest are ended
 * @param patience    longest wait for a client's whole request, and for it to read its whole answer
 * @param grace       a request that has not waited for this long is not ended for another
 * @param bodyBytes   largest body
 */
public record SmallLimits(int working, int waiting, Duration patience, Duration grace, int bodyBytes) {

    /** Returns the usual limits: a megabyte at 1 Mbit/s takes 8 s. */
    public static SmallLimits usual(int working) {
        return new SmallLimits(working, 64, Duration.ofSeconds(10), Duration.ofSeconds(1), 1 << 20);
    }
}

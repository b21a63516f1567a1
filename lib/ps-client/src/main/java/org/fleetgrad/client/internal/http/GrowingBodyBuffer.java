package org.fleetgrad.client.internal.http;

import java.util.Arrays;

/**
 * The buffer of a body with a Content-Length. A server may announce bytes that it never sends, so the buffer grows with
 * the bytes received: it is at most eight times as large, and {@link #UNEARNED_BYTES} before any arrive. To grow costs
 * at most a copy of a seventh of the body.
 */
final class GrowingBodyBuffer {

    /** Memory for an announced length alone: more than most models have. */
    static final int UNEARNED_BYTES = 1 << 20;

    private static final int GROWTH = 8;

    private GrowingBodyBuffer() {}

    /** Returns a buffer for the beginning of a body: for all of it if it is not large. */
    static byte[] begin(int length) {
        int size = length;
        while (size > UNEARNED_BYTES) {
            // Rounded up, so that the last step reaches the length.
            size = (size - 1) / GROWTH + 1;
        }
        return new byte[size];
    }

    /** Returns a larger buffer for a body of this length, with the received bytes, which fill {@code full}. */
    static byte[] more(byte[] full, int length) {
        return Arrays.copyOf(full, (int) Math.min((long) GROWTH * full.length, length));
    }
}

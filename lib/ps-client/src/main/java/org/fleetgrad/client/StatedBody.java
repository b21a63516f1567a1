package org.fleetgrad.client;

import java.util.Arrays;

/**
 * Memory for a body that states its length. A server may state what it never sends, so memory is earned: there is never more than eight
 * times of what has come, and {@link #UNEARNED_BYTES} before anything has. To grow costs at most a copy of a seventh of the body.
 */
final class StatedBody {

    /** What a length alone is good for: more than most models have. */
    static final int UNEARNED_BYTES = 1 << 20;

    private static final int GROWTH = 8;

    private StatedBody() {}

    /** Returns memory for the beginning of a body: for all of one that is not large. */
    static byte[] begin(int length) {
        int size = length;
        while (size > UNEARNED_BYTES) {
            // Rounded up, so that the last step reaches the length.
            size = (size - 1) / GROWTH + 1;
        }
        return new byte[size];
    }

    /** Returns memory for more of a body of this length, with what has come, which fills {@code full}. */
    static byte[] more(byte[] full, int length) {
        return Arrays.copyOf(full, (int) Math.min((long) GROWTH * full.length, length));
    }
}

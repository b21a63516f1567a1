package org.fleetgrad.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads the bytes of a page that is unpacked. */
final class Bytes {

    private Bytes() {}

    /** Returns a part of a page, little-endian. */
    static ByteBuffer of(byte[] page, int from, int to) {
        return ByteBuffer.wrap(page, 0, to).position(from).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Reads a length that is stated, and that the page has.
     *
     * @throws IllegalArgumentException if the page has fewer bytes
     */
    static int length(ByteBuffer in) {
        require(in, Integer.BYTES);
        int length = in.getInt();
        require(in, length);
        return length;
    }

    /**
     * Checks that bytes are there.
     *
     * @throws IllegalArgumentException if there are fewer
     */
    static void require(ByteBuffer in, long bytes) {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new IllegalArgumentException(
                    "a page states %,d bytes where %,d are left".formatted(bytes, in.remaining()));
        }
    }

    /** Reads a number without a sign, of 7 bits a byte. */
    static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (!in.hasRemaining()) {
                throw endsEarly();
            }
            byte next = in.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a page has a number of more than 64 bits");
    }

    /** Makes the exception for values that are missing. */
    static IllegalArgumentException endsEarly() {
        return new IllegalArgumentException("a page ends before the last of its values");
    }
}

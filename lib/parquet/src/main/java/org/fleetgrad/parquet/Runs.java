package org.fleetgrad.parquet;

import java.nio.ByteBuffer;

/**
 * Small numbers of a page: runs of one number, and numbers of a few bits each (<a
 * href="https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE">RLE</a>). Not thread-safe.
 */
final class Runs {

    private static final int GROUP = 8;

    private final ByteBuffer in;
    private final int width;
    private final int mask;
    private long left;
    private boolean isRun;
    private int value;
    private long bits;
    private int bitCount;

    /**
     * Begins to read.
     *
     * @param in    the bytes, all of them; little-endian
     * @param width bits of a number
     * @throws IllegalArgumentException if the width is beyond 32
     */
    Runs(ByteBuffer in, int width) {
        if (width > Integer.SIZE) {
            throw new IllegalArgumentException("a page has numbers of %d bits; the most is 32".formatted(width));
        }
        this.in = in;
        this.width = width;
        this.mask = width == Integer.SIZE ? -1 : (1 << width) - 1;
    }

    /**
     * Returns the next number.
     *
     * @throws IllegalArgumentException if there is none
     */
    int next() {
        while (left == 0) {
            begin();
        }
        left--;
        if (isRun) {
            return value;
        }
        while (bitCount < width) {
            bits |= (long) next8() << bitCount;
            bitCount += Byte.SIZE;
        }
        int number = (int) bits & mask;
        bits >>>= width;
        bitCount -= width;
        return number;
    }

    private void begin() {
        long head = Bytes.varint(in);
        isRun = (head & 1) == 0;
        left = head >>> 1;
        if (isRun) {
            value = 0;
            for (int shift = 0; shift < width; shift += Byte.SIZE) {
                value |= next8() << shift;
            }
        } else {
            if (left > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("a page states %,d groups of numbers".formatted(left));
            }
            left *= GROUP;
            bits = 0;
            bitCount = 0;
        }
    }

    private int next8() {
        if (!in.hasRemaining()) {
            throw Bytes.endsEarly();
        }
        return in.get() & 0xff;
    }
}

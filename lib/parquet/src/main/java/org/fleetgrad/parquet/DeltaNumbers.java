package org.fleetgrad.parquet;

import java.nio.ByteBuffer;

/**
 * Whole numbers as differences from the number before, of a few bits each (<a
 * href="https://parquet.apache.org/docs/file-format/data-pages/encodings/#DELTAENC">DELTA_BINARY_PACKED</a>). No number of values
 * that is stated takes memory. Not thread-safe.
 */
final class DeltaNumbers {

    private static final int MOST_BLOCK = 1 << 16;
    private static final int GROUP = 32;

    private final ByteBuffer in;
    private final int pieces;
    private final int pieceValues;
    private final int count;
    private final byte[] widths;
    private int read;
    private long value;
    private long least;
    private int piece;
    private int left;
    private int width;
    private int pieceEnd;
    private int bits;
    private int bitCount;

    /**
     * Opens numbers.
     *
     * @param in   the bytes; what is behind the numbers may follow
     * @param most number of values of the page
     * @throws IllegalArgumentException if the header breaks the format, or states more
     */
    DeltaNumbers(ByteBuffer in, int most) {
        this.in = in;
        long block = Bytes.varint(in);
        long blockPieces = Bytes.varint(in);
        long stated = Bytes.varint(in);
        if (block <= 0
                || block > MOST_BLOCK
                || blockPieces <= 0
                || blockPieces > block / GROUP
                || block % (blockPieces * GROUP) != 0
                || stated < 0
                || stated > most) {
            throw new IllegalArgumentException(
                    "a page of %,d values states %,d differences, %,d to a block of %,d pieces"
                            .formatted(most, stated, block, blockPieces));
        }
        pieces = (int) blockPieces;
        pieceValues = (int) (block / blockPieces);
        count = (int) stated;
        widths = new byte[pieces];
        piece = pieces;
        value = zigzag(Bytes.varint(in));
        pieceEnd = in.position();
    }

    /** Returns the number of values. */
    int count() {
        return count;
    }

    /**
     * Returns where the bytes behind the numbers begin, which have all been read.
     */
    int end() {
        return pieceEnd;
    }

    /**
     * Returns the next number.
     *
     * @throws IllegalArgumentException if there is none
     */
    long next() {
        if (read == count) {
            throw Bytes.endsEarly();
        }
        if (read++ > 0) {
            // The first of a block reads the least difference.
            long delta = delta();
            value += least + delta;
        }
        return value;
    }

    private long delta() {
        if (left == 0) {
            beginPiece();
        }
        left--;
        long delta = 0;
        int have = 0;
        while (have < width) {
            if (bitCount == 0) {
                bits = in.get() & 0xff;
                bitCount = Byte.SIZE;
            }
            int taken = Math.min(bitCount, width - have);
            delta |= (long) (bits & ((1 << taken) - 1)) << have;
            bits >>>= taken;
            bitCount -= taken;
            have += taken;
        }
        return delta;
    }

    private void beginPiece() {
        in.position(pieceEnd);
        if (piece == pieces) {
            least = zigzag(Bytes.varint(in));
            Bytes.require(in, pieces);
            in.get(widths);
            piece = 0;
        }
        width = widths[piece++] & 0xff;
        if (width > Long.SIZE) {
            throw new IllegalArgumentException("a page has differences of %d bits; the most is 64".formatted(width));
        }
        int bytes = pieceValues / Byte.SIZE * width;
        Bytes.require(in, bytes);
        pieceEnd = in.position() + bytes;
        left = pieceValues;
        bitCount = 0;
    }

    private static long zigzag(long number) {
        return (number >>> 1) ^ -(number & 1);
    }
}

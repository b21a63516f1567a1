package org.fleetgrad.parquet;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Values that begin as the value before does (DELTA_BYTE_ARRAY). */
final class DeltaPrefixes implements PageValues {

    /** Most bytes of a value: so many has the longest text of a field. */
    private static final int MOST_BYTES = 1 << 22;

    private static final int ANY = -1;

    private final DeltaNumbers prefixes;
    private final DeltaTexts suffixes;
    private final int fixed;
    private final Cell suffix = new Cell();
    private byte[] value = {};
    private int length;

    /**
     * Opens values.
     *
     * @param most  number of values of the page
     * @param fixed number of bytes of each value; below 0 if they differ
     * @throws IllegalArgumentException if the lengths break the format
     */
    DeltaPrefixes(ByteBuffer in, int most, int fixed) {
        this.fixed = fixed;
        ByteBuffer behind = in.duplicate().order(in.order());
        DeltaNumbers first = new DeltaNumbers(behind, most);
        for (int i = 0; i < first.count(); i++) {
            long unused = first.next();
        }
        suffixes = new DeltaTexts(behind.position(first.end()), most);
        prefixes = new DeltaNumbers(in, most);
    }

    @Override
    public void next(Cell cell) {
        long prefix = prefixes.next();
        suffixes.next(suffix);
        if (prefix < 0 || prefix > length) {
            throw new IllegalArgumentException(
                    "a value begins with %,d bytes of the value before, which has %,d".formatted(prefix, length));
        }
        long bytes = prefix + suffix.length;
        if (bytes > MOST_BYTES || (fixed > ANY && bytes != fixed)) {
            throw new IllegalArgumentException("a value has %,d bytes; %s"
                    .formatted(bytes, fixed > ANY ? "each has " + fixed : "the most is " + MOST_BYTES));
        }
        length = (int) bytes;
        if (length > value.length) {
            value = Arrays.copyOf(value, Math.max(length, 2 * value.length));
        }
        System.arraycopy(suffix.bytes, suffix.from, value, (int) prefix, suffix.length);
        cell.set(value, 0, length);
    }
}

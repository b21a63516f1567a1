package org.fleetgrad.parquet;

import java.nio.ByteBuffer;

/** Values behind all of their lengths (DELTA_LENGTH_BYTE_ARRAY). The lengths are read twice, so that they take no memory. */
final class DeltaTexts implements PageValues {

    private final DeltaNumbers lengths;
    private final ByteBuffer bytes;

    /**
     * Opens values.
     *
     * @param most number of values of the page
     * @throws IllegalArgumentException if the lengths break the format, or the page has fewer bytes
     */
    DeltaTexts(ByteBuffer in, int most) {
        bytes = in.duplicate().order(in.order());
        DeltaNumbers first = new DeltaNumbers(bytes, most);
        long sum = 0;
        for (int i = 0; i < first.count(); i++) {
            long length = first.next();
            if (length < 0 || length > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("a page has a value of %,d bytes".formatted(length));
            }
            sum += length;
        }
        bytes.position(first.end());
        Bytes.require(bytes, sum);
        lengths = new DeltaNumbers(in, most);
    }

    @Override
    public void next(Cell cell) {
        int length = (int) lengths.next();
        cell.set(bytes.array(), bytes.arrayOffset() + bytes.position(), length);
        bytes.position(bytes.position() + length);
    }
}

package org.fleetgrad.parquet;

import java.nio.ByteBuffer;

/** Values of which the first bytes lie together, then the second ones, and so on (BYTE_STREAM_SPLIT). */
final class SplitValues implements PageValues {

    private final PhysicalType type;
    private final ByteBuffer in;
    private final byte[] value;
    private final int from;
    private final int count;
    private int read;

    /**
     * Opens values.
     *
     * @param length bytes of a value of {@link PhysicalType#FIXED_BYTES}
     * @throws IllegalArgumentException if the page has no whole number of values
     */
    SplitValues(PhysicalType type, int length, ByteBuffer in) {
        this.type = type;
        this.in = in;
        int bytes = type == PhysicalType.FIXED_BYTES ? length : type.bytes();
        if (bytes <= 0 || in.remaining() % bytes != 0) {
            throw new IllegalArgumentException(
                    "a page has %,d bytes of %s, of %,d each".formatted(in.remaining(), type, bytes));
        }
        value = new byte[bytes];
        from = in.position();
        count = in.remaining() / bytes;
    }

    @Override
    public void next(Cell cell) {
        if (read == count) {
            throw Bytes.endsEarly();
        }
        for (int i = 0; i < value.length; i++) {
            value[i] = in.get(from + i * count + read);
        }
        read++;
        if (type.isNumber()) {
            ByteBuffer whole = Bytes.of(value, 0, value.length);
            cell.number = value.length == Integer.BYTES ? whole.getInt() : whole.getLong();
        } else {
            cell.set(value, 0, value.length);
        }
    }
}

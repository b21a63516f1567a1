package org.fleetgrad.parquet;

import java.nio.ByteBuffer;

/** Values one behind the other, as they are. */
final class PlainValues implements PageValues {

    private final PhysicalType type;
    private final int length;
    private final ByteBuffer in;
    private int bits;
    private int bitCount;

    /**
     * Opens values.
     *
     * @param length bytes of a value of {@link PhysicalType#FIXED_BYTES}
     */
    PlainValues(PhysicalType type, int length, ByteBuffer in) {
        this.type = type;
        this.length = type == PhysicalType.FIXED_BYTES ? length : type.bytes();
        this.in = in;
    }

    @Override
    public void next(Cell cell) {
        if (type == PhysicalType.BOOLEAN) {
            cell.number = bit();
            return;
        }
        int bytes = type == PhysicalType.BYTES ? Bytes.length(in) : length;
        Bytes.require(in, bytes);
        if (type.isNumber()) {
            cell.number = bytes == Integer.BYTES ? in.getInt() : in.getLong();
            return;
        }
        cell.set(in.array(), in.arrayOffset() + in.position(), bytes);
        in.position(in.position() + bytes);
    }

    private int bit() {
        if (bitCount == 0) {
            if (!in.hasRemaining()) {
                throw Bytes.endsEarly();
            }
            bits = in.get();
            bitCount = Byte.SIZE;
        }
        int bit = bits & 1;
        bits >>= 1;
        bitCount--;
        return bit;
    }
}

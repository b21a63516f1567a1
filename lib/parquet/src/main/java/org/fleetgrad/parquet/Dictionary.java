package org.fleetgrad.parquet;

/** The different values of a column in a group of rows. */
final class Dictionary {

    private final PhysicalType type;
    private final byte[] page;
    private final int length;
    private final int[] ends;
    private final int count;

    /**
     * Opens a dictionary.
     *
     * @param page  unpacked
     * @param count number of values that it states
     * @throws IllegalArgumentException if it has fewer, or more bytes
     */
    Dictionary(SchemaElement column, byte[] page, int count) {
        this.type = column.type();
        this.page = page;
        this.count = count;
        this.length = type == PhysicalType.FIXED_BYTES ? column.length() : type.bytes();
        long least = (long) count * (type == PhysicalType.BYTES ? Integer.BYTES : length);
        if (count < 0 || length < 0 || type == PhysicalType.BOOLEAN || least > page.length) {
            throw new IllegalArgumentException(
                    "a dictionary states %,d values of %s in %,d bytes".formatted(count, type, page.length));
        }
        ends = type == PhysicalType.BYTES ? ends() : new int[0];
    }

    private int[] ends() {
        int[] all = new int[count];
        PlainValues values = new PlainValues(type, 0, Bytes.of(page, 0, page.length));
        Cell cell = new Cell();
        for (int i = 0; i < count; i++) {
            values.next(cell);
            all[i] = cell.from + cell.length;
        }
        return all;
    }

    /** Returns the number of bytes in memory. */
    static long bytes(SchemaElement column, int pageBytes) {
        return column.type() == PhysicalType.BYTES ? 2L * pageBytes : pageBytes;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if there is none of this number
     */
    void read(int index, Cell cell) {
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("a page has the number %,d of a dictionary of %,d values"
                    .formatted(Integer.toUnsignedLong(index), count));
        }
        if (type == PhysicalType.BYTES) {
            int from = (index == 0 ? 0 : ends[index - 1]) + Integer.BYTES;
            cell.set(page, from, ends[index] - from);
        } else if (type.isNumber()) {
            cell.number = length == Integer.BYTES
                    ? Bytes.of(page, index * length, page.length).getInt()
                    : Bytes.of(page, index * length, page.length).getLong();
        } else {
            cell.set(page, index * length, length);
        }
    }
}

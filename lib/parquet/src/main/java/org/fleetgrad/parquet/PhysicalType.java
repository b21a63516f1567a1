package org.fleetgrad.parquet;

import java.util.List;

/** How the bytes of a value lie in a file; in the order of the numbers that files state. */
enum PhysicalType {
    BOOLEAN(0),
    INT32(4),
    INT64(8),
    INT96(12),
    FLOAT(4),
    DOUBLE(8),
    BYTES(0),
    FIXED_BYTES(0);

    private static final List<PhysicalType> ALL = List.of(values());

    private final int bytes;

    PhysicalType(int bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns a type by its number.
     *
     * @throws IllegalArgumentException if there is none
     */
    static PhysicalType of(int number) {
        if (number < 0 || number >= ALL.size()) {
            throw new IllegalArgumentException(
                    "a column has the type %d; there are 0 to %d".formatted(number, ALL.size() - 1));
        }
        return ALL.get(number);
    }

    /** Returns whether a value is a number of up to 64 bits, and not bytes. */
    boolean isNumber() {
        return this != INT96 && this != BYTES && this != FIXED_BYTES;
    }

    /** Returns the bytes of a value; 0 if it is a bit, or if each has its own length, or if the column states one. */
    int bytes() {
        return bytes;
    }
}

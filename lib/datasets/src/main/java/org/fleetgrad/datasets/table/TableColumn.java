package org.fleetgrad.datasets.table;

import java.nio.charset.StandardCharsets;

/** A column of a table, and how a value of it becomes numbers of a row. Immutable and thread-safe. */
public sealed interface TableColumn permits CategoryColumn, DateColumn, NumberColumn {

    /** Most bytes of a column's name in UTF-8. */
    int MOST_NAME_BYTES = 256;

    /** Returns the name. */
    String name();

    /** Returns the number of values of a row that the column takes. */
    int width();

    /** Returns whether the column takes an index, from which the network looks up values. */
    default boolean isEmbedded() {
        return false;
    }

    /**
     * Writes a value.
     *
     * @param value as a file has it, without space around it
     * @param row   gets {@link #width} numbers, from {@code at} on
     * @throws IllegalArgumentException if the value is none of the column's kind; the message has both
     */
    void encode(String value, float[] row, int at);

    /**
     * Checks a name.
     *
     * @throws IllegalArgumentException if it is blank, too long or has control characters
     */
    static void requireName(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (name.isBlank() || bytes > MOST_NAME_BYTES || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "a column must have a name of 1 to %d bytes without control characters; it has %d bytes"
                            .formatted(MOST_NAME_BYTES, bytes));
        }
    }
}

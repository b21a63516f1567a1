package org.fleetgrad.parquet;

/** A value as its page has it. One object takes all values of a column, one after the other. */
final class Cell {

    private static final byte[] NONE = {};

    /** A whole number, the bits of a floating-point one, or 0 and 1. */
    long number;

    /** Has the bytes of other values. */
    byte[] bytes = NONE;

    /** Where in {@link #bytes} they begin. */
    int from;

    int length;

    /** Takes bytes. */
    void set(byte[] all, int first, int count) {
        bytes = all;
        from = first;
        length = count;
    }
}

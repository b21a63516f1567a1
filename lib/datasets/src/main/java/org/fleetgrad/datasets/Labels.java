package org.fleetgrad.datasets;

import java.util.Arrays;

/**
 * The labels of samples, each from 0 to 65,535. They take one byte each while all are below 256, else two. Immutable and
 * thread-safe, provided that the array passed to {@link #ofBytes} is not modified.
 */
public final class Labels {

    /** Most classes of a dataset. */
    public static final int MAX_CLASSES = 1 << 16;

    private static final int BYTE = 8;
    private static final int BYTE_LABELS = 1 << BYTE;
    private static final byte[] NONE = {};

    private final byte[] low;

    /** The upper bytes, or nothing if they are all 0. */
    private final byte[] high;

    private Labels(byte[] low, byte[] high) {
        this.low = low;
        this.high = high;
    }

    /** Takes ownership of labels as unsigned bytes. */
    public static Labels ofBytes(byte[] labels) {
        return new Labels(labels, NONE);
    }

    /**
     * Copies labels.
     *
     * @throws IllegalArgumentException if one is not from 0 to 65,535
     */
    public static Labels of(int... labels) {
        boolean isWide = false;
        for (int i = 0; i < labels.length; i++) {
            if (labels[i] < 0 || labels[i] >= MAX_CLASSES) {
                throw new IllegalArgumentException(
                        "a label must be from 0 to %d; label %d is %d".formatted(MAX_CLASSES - 1, i, labels[i]));
            }
            isWide |= labels[i] >= BYTE_LABELS;
        }
        byte[] low = new byte[labels.length];
        byte[] high = isWide ? new byte[labels.length] : NONE;
        for (int i = 0; i < labels.length; i++) {
            low[i] = (byte) labels[i];
            if (isWide) {
                high[i] = (byte) (labels[i] >>> BYTE);
            }
        }
        return new Labels(low, high);
    }

    /** Returns the number of labels. */
    public int count() {
        return low.length;
    }

    /** Returns one label. */
    public int get(int index) {
        int lower = Byte.toUnsignedInt(low[index]);
        return high.length == 0 ? lower : lower | (Byte.toUnsignedInt(high[index]) << BYTE);
    }

    /** Returns the largest label, or -1 if there is none. */
    public int largest() {
        int largest = -1;
        for (int i = 0; i < low.length; i++) {
            largest = Math.max(largest, get(i));
        }
        return largest;
    }

    /**
     * Returns all labels as unsigned bytes; not a copy.
     *
     * @throws IllegalStateException if one is above 255
     */
    public byte[] bytes() {
        if (high.length > 0) {
            throw new IllegalStateException(
                    "labels of up to %d do not fit into a byte; it holds 0 to 255".formatted(largest()));
        }
        return low;
    }

    /** Returns a copy of all labels. */
    public int[] toArray() {
        int[] labels = new int[low.length];
        Arrays.setAll(labels, this::get);
        return labels;
    }

    /** Copies the labels from index {@code from} (inclusive) to {@code to} (exclusive). */
    public Labels slice(int from, int to) {
        return new Labels(
                Arrays.copyOfRange(low, from, to), high.length == 0 ? NONE : Arrays.copyOfRange(high, from, to));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Labels that && Arrays.equals(toArray(), that.toArray());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toArray());
    }

    @Override
    public String toString() {
        return "Labels[%d, largest %d]".formatted(count(), largest());
    }
}

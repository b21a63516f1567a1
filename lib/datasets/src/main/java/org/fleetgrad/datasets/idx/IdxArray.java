package org.fleetgrad.datasets.idx;

import java.util.List;

/**
 * The content of an IDX file of unsigned bytes: dimensions, outermost first, and the bytes in row-major order. This object
 * owns the array, which must not be modified.
 */
public final class IdxArray {

    /** The format stores the number of dimensions in one byte. */
    static final int MAX_DIMENSIONS = 255;

    private final List<Integer> dimensions;
    private final byte[] data;

    /**
     * Takes ownership of {@code data}.
     *
     * @throws IllegalArgumentException if the product of the dimensions differs from the number of bytes
     */
    public IdxArray(List<Integer> dimensions, byte[] data) {
        if (dimensions.isEmpty() || dimensions.size() > MAX_DIMENSIONS) {
            throw new IllegalArgumentException(
                    "an IDX file must have 1 to %d dimensions; it has %d".formatted(MAX_DIMENSIONS, dimensions.size()));
        }
        long product = 1;
        for (int dimension : dimensions) {
            if (dimension < 0) {
                throw new IllegalArgumentException("a dimension is negative: " + dimensions);
            }
            // Saturates instead of overflowing: no array is that long.
            product = Math.min(product * dimension, Integer.MAX_VALUE + 1L);
        }
        if (product != data.length) {
            throw new IllegalArgumentException(
                    "dimensions %s need %d bytes; there are %d".formatted(dimensions, product, data.length));
        }
        this.dimensions = List.copyOf(dimensions);
        this.data = data;
    }

    /** Returns the dimensions, outermost first. */
    public List<Integer> dimensions() {
        return dimensions;
    }

    /** Returns the bytes; not a copy. */
    public byte[] data() {
        return data;
    }
}

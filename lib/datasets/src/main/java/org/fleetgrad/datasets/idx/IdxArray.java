package org.fleetgrad.datasets.idx;

import java.util.List;

/**
 * The content of an IDX file of unsigned bytes: dimensions, outermost first, and the bytes in row-major order. The array
 * belongs to this object and must not be written to.
 */
public final class IdxArray {

    /** The format counts dimensions in one byte. */
    static final int MAX_DIMENSIONS = 255;

    private final List<Integer> dimensions;
    private final byte[] data;

    /**
     * Takes ownership of {@code data}.
     *
     * @throws IllegalArgumentException when the dimensions' product is not the number of bytes
     */
    public IdxArray(List<Integer> dimensions, byte[] data) {
        if (dimensions.isEmpty() || dimensions.size() > MAX_DIMENSIONS) {
            throw new IllegalArgumentException(
                    "an IDX file has 1 to %d dimensions, not %d".formatted(MAX_DIMENSIONS, dimensions.size()));
        }
        long product = 1;
        for (int dimension : dimensions) {
            if (dimension < 0) {
                throw new IllegalArgumentException("a dimension is negative: " + dimensions);
            }
            // Saturates rather than overflows: no array is that long.
            product = Math.min(product * dimension, Integer.MAX_VALUE + 1L);
        }
        if (product != data.length) {
            throw new IllegalArgumentException(
                    "dimensions %s want %d bytes, given were %d".formatted(dimensions, product, data.length));
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

package org.fleetgrad.protocol.encoding;

import java.util.Arrays;
import java.util.Optional;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Where the rows of a matrix lie among its values, or among those of a piece of it. The first and the last row of a
 * piece may be incomplete.
 *
 * @param begin index in the matrix of the first value
 * @param end   exclusive upper bound, above {@code begin}
 * @param width values of a row
 */
record RowGrid(long begin, long end, long width) {

    /** Returns the rows of a matrix that has values. */
    static RowGrid of(TensorSpec matrix) {
        return new RowGrid(0, matrix.elementCount(), matrix.shape().get(1));
    }

    /** Returns the rows of a piece that has values, in a matrix of rows of {@code width}. */
    static RowGrid ofPiece(TensorSpec piece, long width) {
        long begin = piece.beginOfPiece().orElseThrow();
        return new RowGrid(begin, begin + piece.elementCount(), width);
    }

    long firstRow() {
        return begin / width;
    }

    long lastRow() {
        return (end - 1) / width;
    }

    long rowCount() {
        return lastRow() - firstRow() + 1;
    }

    /** Returns the index, among the values that are here, of the first value of a row. */
    int from(long row) {
        return (int) (Math.max(begin, row * width) - begin);
    }

    /** Returns the exclusive upper bound of the values of a row that are here. */
    int to(long row) {
        return (int) (Math.min(end, (row + 1) * width) - begin);
    }

    /** Returns how many values of a row lie before the first one that is here. */
    int missingBefore(long row) {
        return (int) Math.max(0, begin - row * width);
    }

    /** Returns how many bytes a row takes on the wire, with its number. */
    private long bytesOfRow() {
        return Integer.BYTES + Float.BYTES * width;
    }

    /**
     * Returns the numbers of the rows with a bit that is set; empty if they take no fewer bytes than all values.
     *
     * @param at index in {@code values} of the first value
     */
    Optional<int[]> rowsToSend(float[] values, int at) {
        int[] rows = new int[(int) Math.min(rowCount(), (Float.BYTES * (end - begin) - 1) / bytesOfRow())];
        int found = 0;
        for (long row = firstRow(); row <= lastRow(); row++) {
            if (hasBits(values, at + from(row), at + to(row))) {
                if (found == rows.length) {
                    return Optional.empty();
                }
                rows[found++] = (int) row;
            }
        }
        return Optional.of(Arrays.copyOf(rows, found));
    }

    private static boolean hasBits(float[] values, int from, int to) {
        int bits = 0;
        for (int i = from; i < to; i++) {
            bits |= Float.floatToRawIntBits(values[i]);
        }
        return bits != 0;
    }
}

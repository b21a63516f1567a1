package org.fleetgrad.datasets.table;

import java.io.IOException;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.TableSamples;

/** Takes the rows of a part in the order of the files, and gives them in that of their places. Not thread-safe. */
interface RowStore {

    /**
     * Takes a row.
     *
     * @param place of the row, each once
     * @param row    its values, which are copied
     * @param target its targets, likewise
     */
    void put(int place, float[] row, float[] target) throws IOException;

    /** Returns the number of places. */
    int rows();

    /**
     * Returns all rows.
     *
     * @param source of the table, for the message
     * @throws InvalidDatasetException if one is missing
     */
    Samples samples(Object source) throws IOException;

    /** Makes the exception for a table that has fewer rows than when it was read before. */
    static InvalidDatasetException changed(Object source, long count, int before) {
        return new InvalidDatasetException(
                "%s: there are %,d rows, and were %,d; the files change".formatted(source, count, before));
    }

    /** Rows in memory. */
    final class InMemory implements RowStore {

        private final float[] values;
        private final float[] targets;
        private final int rows;
        private final int width;
        private final int targetCount;
        private int count;

        /** @param targetCount targets of a row */
        InMemory(int rows, int width, int targetCount) {
            this.values = new float[rows * width];
            this.targets = new float[rows * targetCount];
            this.rows = rows;
            this.width = width;
            this.targetCount = targetCount;
        }

        @Override
        public void put(int place, float[] row, float[] target) {
            System.arraycopy(row, 0, values, place * width, width);
            System.arraycopy(target, 0, targets, place * targetCount, targetCount);
            count++;
        }

        @Override
        public int rows() {
            return rows;
        }

        @Override
        public TableSamples samples(Object source) throws InvalidDatasetException {
            if (count != rows) {
                throw changed(source, count, rows);
            }
            return new TableSamples(values, width, targets, targetCount);
        }
    }
}

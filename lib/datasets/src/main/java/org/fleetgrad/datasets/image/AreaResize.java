package org.fleetgrad.datasets.image;

/**
 * Resizes a plane by area: each new pixel is the mean of the old pixels that it covers, so that thin strokes of a large
 * drawing become fainter instead of vanishing. An unchanged size keeps all values.
 *
 * <p>The plane is read row by row, and only the new one is in memory: a file of one column and a million rows costs no more
 * than any other. Not thread-safe.
 */
public final class AreaResize {

    private final int width;
    private final int height;
    private final int newWidth;
    private final int newHeight;
    private final double scale;
    private final double[] sums;
    private int rows;

    /** Begins a plane of {@code width} columns and {@code height} rows. */
    public AreaResize(int width, int height, int newWidth, int newHeight) {
        this.width = width;
        this.height = height;
        this.newWidth = newWidth;
        this.newHeight = newHeight;
        this.scale = (double) height / newHeight;
        this.sums = new double[newWidth * newHeight];
    }

    /** Returns a new plane of {@code newWidth} columns and {@code newHeight} rows; both planes are row by row. */
    public static float[] resize(float[] plane, int width, int height, int newWidth, int newHeight) {
        AreaResize resize = new AreaResize(width, height, newWidth, newHeight);
        resize.add(plane);
        return resize.resized();
    }

    /** Adds the next rows, all those in {@code next}. */
    public void add(float[] next) {
        for (int from = 0; from < next.length; from += width) {
            add(narrowed(next, from));
            rows++;
        }
    }

    /** Adds the next row, of the new width, to each new row that covers a part of it. */
    private void add(double[] row) {
        int last = Math.min((int) ((rows + 1) / scale) + 1, newHeight - 1);
        for (int i = Math.max((int) (rows / scale) - 1, 0); i <= last; i++) {
            double covered = Math.min(end(i), rows + 1) - Math.max(i * scale, rows);
            if (covered > 0) {
                for (int x = 0; x < newWidth; x++) {
                    sums[i * newWidth + x] += covered * row[x];
                }
            }
        }
    }

    private double end(int newRow) {
        return Math.min((newRow + 1) * scale, height);
    }

    private double[] narrowed(float[] source, int from) {
        double[] row = new double[newWidth];
        double columns = (double) width / newWidth;
        for (int i = 0; i < newWidth; i++) {
            double begin = i * columns;
            double end = Math.min((i + 1) * columns, width);
            double sum = 0;
            for (int j = (int) begin; j < end; j++) {
                double covered = Math.min(end, j + 1) - Math.max(begin, j);
                sum += covered * source[from + j];
            }
            row[i] = (float) (sum / (end - begin));
        }
        return row;
    }

    /**
     * Returns the new plane, row by row.
     *
     * @throws IllegalStateException if there were too few or too many rows
     */
    public float[] resized() {
        if (rows != height) {
            throw new IllegalStateException("the plane has %d rows, %d came".formatted(height, rows));
        }
        float[] plane = new float[sums.length];
        for (int i = 0; i < plane.length; i++) {
            int row = i / newWidth;
            plane[i] = (float) (sums[i] / (end(row) - row * scale));
        }
        return plane;
    }
}

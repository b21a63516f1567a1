package org.fleetgrad.datasets.image;

/**
 * Resizes a plane by area: each new pixel is the mean of the old pixels that it covers, so that thin strokes of a large
 * drawing become fainter instead of vanishing. An unchanged size keeps all values.
 */
public final class AreaResize {

    private AreaResize() {}

    /** Returns a new plane of {@code newWidth} columns and {@code newHeight} rows; both planes are row by row. */
    public static float[] resize(float[] plane, int width, int height, int newWidth, int newHeight) {
        float[] narrowed = new float[newWidth * height];
        for (int y = 0; y < height; y++) {
            resizeLine(plane, y * width, 1, width, narrowed, y * newWidth, 1, newWidth);
        }
        float[] resized = new float[newWidth * newHeight];
        for (int x = 0; x < newWidth; x++) {
            resizeLine(narrowed, x, newWidth, height, resized, x, newWidth, newHeight);
        }
        return resized;
    }

    private static void resizeLine(
            float[] source, int from, int stride, int size, float[] target, int to, int newStride, int newSize) {
        double scale = (double) size / newSize;
        for (int i = 0; i < newSize; i++) {
            double begin = i * scale;
            double end = Math.min((i + 1) * scale, size);
            double sum = 0;
            for (int j = (int) begin; j < end; j++) {
                double covered = Math.min(end, j + 1) - Math.max(begin, j);
                sum += covered * source[from + j * stride];
            }
            target[to + i * newStride] = (float) (sum / (end - begin));
        }
    }
}

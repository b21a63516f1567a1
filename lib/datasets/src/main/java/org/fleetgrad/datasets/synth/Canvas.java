package org.fleetgrad.datasets.synth;

import java.util.Arrays;

/** A square of pixels to draw strokes on; brightness falls from 1 to 0 over one pixel at a stroke's edge. */
final class Canvas {

    private final int size;
    private final float[] ink;

    Canvas(int size) {
        this.size = size;
        this.ink = new float[size * size];
    }

    void clear() {
        Arrays.fill(ink, 0);
    }

    float ink(int index) {
        return ink[index];
    }

    /** Draws a line with round ends; the centre of pixel (x, y) is at these coordinates. */
    void draw(double x0, double y0, double x1, double y1, double halfWidth) {
        double reach = halfWidth + 0.5;
        int left = bounded(Math.min(x0, x1) - reach);
        int right = bounded(Math.max(x0, x1) + reach + 1);
        int top = bounded(Math.min(y0, y1) - reach);
        int bottom = bounded(Math.max(y0, y1) + reach + 1);
        double dx = x1 - x0;
        double dy = y1 - y0;
        double squaredLength = dx * dx + dy * dy;
        for (int y = top; y < bottom; y++) {
            for (int x = left; x < right; x++) {
                double along = squaredLength == 0 ? 0 : ((x - x0) * dx + (y - y0) * dy) / squaredLength;
                double t = Math.max(0, Math.min(1, along));
                double ex = x0 + t * dx - x;
                double ey = y0 + t * dy - y;
                double coverage = reach - Math.sqrt(ex * ex + ey * ey);
                int index = y * size + x;
                // Overlapping strokes do not add up, like ink on paper.
                if (coverage > ink[index]) {
                    ink[index] = (float) Math.min(1, coverage);
                }
            }
        }
    }

    private int bounded(double coordinate) {
        return (int) Math.max(0, Math.min(size, coordinate));
    }
}

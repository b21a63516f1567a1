package org.fleetgrad.reports.chart;

/** A point in the units of its axes. */
public record Point(double x, double y) {

    /** Checks that both can be drawn. */
    public Point {
        if (!Double.isFinite(x) || !Double.isFinite(y)) {
            throw new IllegalArgumentException("a point must be finite; it is (%s, %s)".formatted(x, y));
        }
    }
}

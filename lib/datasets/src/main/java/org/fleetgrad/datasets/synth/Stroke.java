package org.fleetgrad.datasets.synth;

/**
 * A pen's path through control points, alternating x and y: straight from point to point, or bent smoothly through
 * them. A digit fills about -0.6 to 0.6 by -1 to 1, y pointing down.
 */
final class Stroke {

    private static final int PIECES_PER_SPAN = 4;

    private final double[] points;

    /** Whether the path is a Catmull-Rom spline rather than a polyline. */
    private final boolean isSmooth;

    private Stroke(double[] points, boolean isSmooth) {
        this.points = points;
        this.isSmooth = isSmooth;
    }

    static Stroke line(double... points) {
        return new Stroke(points, false);
    }

    static Stroke curve(double... points) {
        return new Stroke(points, true);
    }

    /** Returns the control points as alternating x and y. The array must not be modified. */
    double[] points() {
        return points;
    }

    /** Returns the path as the corner points of a polyline, with the control points at {@code moved}. */
    double[] flatten(double[] moved) {
        if (!isSmooth) {
            return moved;
        }
        int spans = points.length / 2 - 1;
        double[] flat = new double[2 * (spans * PIECES_PER_SPAN + 1)];
        for (int i = 0; i < spans * PIECES_PER_SPAN; i++) {
            int span = i / PIECES_PER_SPAN;
            double t = (double) (i % PIECES_PER_SPAN) / PIECES_PER_SPAN;
            flat[2 * i] = spline(moved, span, 0, t);
            flat[2 * i + 1] = spline(moved, span, 1, t);
        }
        flat[flat.length - 2] = moved[moved.length - 2];
        flat[flat.length - 1] = moved[moved.length - 1];
        return flat;
    }

    /**
     * The uniform Catmull-Rom spline, p1 at t = 0 and p2 at t = 1; at the ends, the end point replaces the missing
     * neighbour.
     */
    private static double spline(double[] points, int span, int axis, double t) {
        int last = points.length / 2 - 1;
        double p0 = points[2 * Math.max(span - 1, 0) + axis];
        double p1 = points[2 * span + axis];
        double p2 = points[2 * (span + 1) + axis];
        double p3 = points[2 * Math.min(span + 2, last) + axis];
        return 0.5
                * (2 * p1
                        + t * (p2 - p0)
                        + t * t * (2 * p0 - 5 * p1 + 4 * p2 - p3)
                        + t * t * t * (3 * p1 - p0 - 3 * p2 + p3));
    }
}

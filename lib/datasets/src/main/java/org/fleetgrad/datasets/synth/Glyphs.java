package org.fleetgrad.datasets.synth;

import static org.fleetgrad.datasets.synth.Glyphs.Stroke.curve;
import static org.fleetgrad.datasets.synth.Glyphs.Stroke.line;

import java.util.List;

/** The shapes of the digits: one or more ways to write each, as strokes. */
final class Glyphs {

    private static final Stroke BOWL_OF_FIVE =
            curve(-0.45, -0.15, 0.1, -0.3, 0.55, 0.1, 0.5, 0.65, 0.05, 1, -0.55, 0.8);
    private static final Stroke STEM_OF_SEVEN = line(-0.55, -1, 0.55, -1, -0.15, 1);

    private static final List<List<List<Stroke>>> WAYS = List.of(
            List.of(
                    List.of(curve(
                            0, -1, 0.45, -0.75, 0.6, 0, 0.45, 0.75, 0, 1, -0.45, 0.75, -0.6, 0, -0.45, -0.75, 0, -1)),
                    List.of(curve(
                            0.2, -0.95, -0.35, -0.8, -0.5, 0, -0.35, 0.8, 0.05, 1, 0.4, 0.7, 0.45, -0.2, 0.15, -0.85,
                            -0.15, -0.9))),
            List.of(
                    List.of(line(0, -1, 0, 1)),
                    List.of(line(-0.35, -0.6, 0, -1, 0, 1)),
                    List.of(line(-0.35, -0.6, 0, -1, 0, 1), line(-0.35, 1, 0.35, 1))),
            List.of(
                    List.of(
                            curve(-0.5, -0.6, -0.3, -0.92, 0.1, -1, 0.5, -0.7, 0.45, -0.25, 0, 0.35, -0.55, 1),
                            line(-0.55, 1, 0.6, 1)),
                    List.of(curve(
                            -0.5, -0.65, -0.1, -1, 0.4, -0.75, 0.3, -0.1, -0.2, 0.7, -0.5, 0.85, -0.3, 0.6, 0.1, 0.85,
                            0.6, 0.9))),
            List.of(
                    List.of(
                            curve(-0.5, -0.8, 0, -1, 0.45, -0.7, 0.4, -0.25, -0.05, -0.05),
                            curve(-0.05, -0.05, 0.5, 0.2, 0.55, 0.65, 0.1, 1, -0.55, 0.8)),
                    List.of(
                            line(-0.5, -1, 0.5, -1, -0.05, -0.2),
                            curve(-0.05, -0.2, 0.5, 0.1, 0.55, 0.6, 0.1, 1, -0.55, 0.8))),
            List.of(
                    List.of(line(0.2, -1, -0.6, 0.35, 0.6, 0.35), line(0.3, -0.3, 0.3, 1)),
                    List.of(line(-0.45, -1, -0.5, 0.1, 0.6, 0.1), line(0.4, -1, 0.4, 1)),
                    List.of(line(0.3, 1, 0.3, -1, -0.6, 0.35, 0.6, 0.35))),
            List.of(
                    List.of(line(0.5, -1, -0.4, -1, -0.45, -0.15), BOWL_OF_FIVE),
                    List.of(line(-0.4, -1, -0.45, -0.15), line(-0.4, -1, 0.55, -0.9), BOWL_OF_FIVE)),
            List.of(
                    List.of(curve(
                            0.4, -1, -0.15, -0.6, -0.5, 0.1, -0.4, 0.75, 0, 1, 0.45, 0.75, 0.45, 0.25, 0.05, 0, -0.4,
                            0.3)),
                    List.of(curve(
                            0, -1, -0.4, -0.3, -0.5, 0.4, -0.2, 0.95, 0.3, 0.9, 0.45, 0.5, 0.1, 0.2, -0.35, 0.55))),
            List.of(
                    List.of(STEM_OF_SEVEN),
                    List.of(STEM_OF_SEVEN, line(-0.3, 0, 0.45, 0)),
                    List.of(curve(-0.5, -0.9, 0, -0.95, 0.5, -0.95, 0.15, -0.1, -0.1, 1))),
            List.of(
                    List.of(
                            curve(0, -0.05, 0.4, -0.35, 0.4, -0.75, 0, -1, -0.4, -0.75, -0.4, -0.35, 0, -0.05),
                            curve(0, -0.05, 0.52, 0.3, 0.5, 0.75, 0, 1, -0.5, 0.75, -0.52, 0.3, 0, -0.05)),
                    List.of(curve(
                            0.4, -0.8, 0, -1, -0.4, -0.7, -0.1, -0.2, 0.45, 0.35, 0.3, 0.9, -0.2, 0.95, -0.45, 0.5, 0.1,
                            -0.2, 0.4, -0.8))),
            List.of(
                    List.of(curve(
                            0.45, -0.35, 0.05, 0, -0.4, -0.25, -0.45, -0.7, 0, -1, 0.45, -0.75, 0.48, -0.2, 0.35, 0.4,
                            0.1, 1)),
                    List.of(
                            curve(0.4, -0.9, -0.1, -1, -0.45, -0.6, -0.2, -0.15, 0.25, -0.3, 0.4, -0.9),
                            line(0.4, -0.9, 0.35, 1))));

    private Glyphs() {}

    /** Returns the ways of writing {@code digit}, each a list of strokes. */
    static List<List<Stroke>> of(int digit) {
        return WAYS.get(digit);
    }

    /**
     * A pen's path through control points, alternating x and y: straight from point to point, or bent smoothly through
     * them. A digit fills about -0.6 to 0.6 by -1 to 1, y pointing down.
     */
    static final class Stroke {

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
}

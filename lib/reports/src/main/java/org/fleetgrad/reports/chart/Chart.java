package org.fleetgrad.reports.chart;

import java.util.List;

/**
 * A picture of one or more panels, one below the other, over the same horizontal axis.
 *
 * @param title    what it shows
 * @param subtitle the numbers that belong to it
 * @param x        the horizontal axis
 * @param marks    beginnings on the horizontal axis
 * @param panels   one or more
 */
public record Chart(String title, String subtitle, Axis x, List<Mark> marks, List<Panel> panels) {

    /**
     * One plot of a chart.
     *
     * @param y      its vertical axis
     * @param series its lines, at most as many as there are {@link Tone}s
     */
    public record Panel(Axis y, List<Series> series) {

        /** Checks that each line gets a colour of its own. */
        public Panel {
            series = List.copyOf(series);
            if (series.size() > Tone.ALL.size()) {
                throw new IllegalArgumentException(
                        "a panel may have %d lines; it has %d".formatted(Tone.ALL.size(), series.size()));
            }
        }
    }

    /**
     * A vertical line through all panels, where something begins.
     *
     * @param x    its position on the horizontal axis
     * @param text what begins there
     */
    public record Mark(double x, String text) {}

    /**
     * One line of a chart.
     *
     * @param name   what the legend says
     * @param points in the order of x; may be empty
     */
    public record Series(String name, List<Point> points) {

        /** Copies the points. */
        public Series {
            points = List.copyOf(points);
        }
    }

    /** A point in the units of its axes. */
    public record Point(double x, double y) {

        /** Checks that both can be drawn. */
        public Point {
            if (!Double.isFinite(x) || !Double.isFinite(y)) {
                throw new IllegalArgumentException("a point must be finite; it is (%s, %s)".formatted(x, y));
            }
        }
    }

    /** Checks that there is something to draw. */
    public Chart {
        marks = List.copyOf(marks);
        panels = List.copyOf(panels);
        if (panels.isEmpty()) {
            throw new IllegalArgumentException("a chart must have 1 panel or more; '%s' has none".formatted(title));
        }
    }
}

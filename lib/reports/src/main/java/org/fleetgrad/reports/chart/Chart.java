package org.fleetgrad.reports.chart;

import java.util.List;

/** A picture of one or more panels, one below the other, over one horizontal axis, on which marks show beginnings. */
public record Chart(String title, String subtitle, Axis x, List<Mark> marks, List<Panel> panels) {

    /** One plot of a chart, with at most as many lines as there are {@link Tone}s. */
    public record Panel(Axis y, List<Series> series) {

        public Panel {
            series = List.copyOf(series);
            if (series.size() > Tone.ALL.size()) {
                throw new IllegalArgumentException(
                        "a panel may have %d lines; it has %d".formatted(Tone.ALL.size(), series.size()));
            }
        }
    }

    /** A vertical line through all panels, where something begins. */
    public record Mark(double x, String text) {}

    /** One line of a chart, in the order of x; it may be empty. The legend says its name. */
    public record Series(String name, List<Point> points) {

        public Series {
            points = List.copyOf(points);
        }
    }

    /** A point in the units of its axes. */
    public record Point(double x, double y) {

        public Point {
            if (!Double.isFinite(x) || !Double.isFinite(y)) {
                throw new IllegalArgumentException("a point must be finite; it is (%s, %s)".formatted(x, y));
            }
        }
    }

    public Chart {
        marks = List.copyOf(marks);
        panels = List.copyOf(panels);
        if (panels.isEmpty()) {
            throw new IllegalArgumentException("a chart must have 1 panel or more; '%s' has none".formatted(title));
        }
    }
}

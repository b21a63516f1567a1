package org.fleetgrad.reports.chart;

import static org.fleetgrad.reports.chart.Markup.format;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.reports.chart.Chart.Point;

/** Writes the elements of an SVG picture. The kind of an element is its class, which decides its colours. */
public final class Svg {

    private final StringBuilder elements = new StringBuilder();

    public void line(String kind, double x1, double y1, double x2, double y2) {
        add(format("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", kind, x1, y1, x2, y2));
    }

    /** Draws a line through points, and a dot if there is a single one. */
    public void polyline(String kind, List<Point> points) {
        // A line of no length with round ends is a dot.
        Stream<Point> drawn = points.size() == 1 ? Stream.of(points.get(0), points.get(0)) : points.stream();
        String path =
                drawn.map(point -> format("%.1f,%.1f", point.x(), point.y())).collect(Collectors.joining(" "));
        add("<polyline class=\"%s\" points=\"%s\"/>".formatted(kind, path));
    }

    /** Draws a dot at each point, as one element: there may be a thousand. */
    void dots(String kind, List<Point> points) {
        // A line of no length with round ends is a dot.
        String path = points.stream()
                .map(point -> format("M%.1f %.1fh0", point.x(), point.y()))
                .collect(Collectors.joining());
        add("<path class=\"%s\" d=\"%s\"/>".formatted(kind, path));
    }

    /** Draws a filled box with a tooltip. */
    public void box(String kind, double x, double y, double width, double height, String tooltip) {
        add(format(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>",
                kind, x, y, width, height, Markup.text(tooltip)));
    }

    /**
     * Writes text whose base line is at {@code y}.
     *
     * @param anchor where the text lies relative to its place: start, middle or end
     */
    public void text(String kind, String anchor, double x, double y, String text) {
        add(format(
                "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
                kind, anchor, x, y, Markup.text(text)));
    }

    /** Writes text from the bottom up, with its middle at this place. */
    void uprightText(String kind, double x, double y, String text) {
        add(format(
                "<text class=\"%s\" text-anchor=\"middle\" transform=\"translate(%.1f %.1f) rotate(-90)\">%s</text>",
                kind, x, y, Markup.text(text)));
    }

    private void add(String element) {
        elements.append(element).append('\n');
    }

    /** Returns the picture for an HTML page, whose style decides its colours. */
    public String picture(int width, int height, String label) {
        return "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%s</svg>"
                .formatted(width, height, Markup.text(label), elements);
    }

    @Override
    public String toString() {
        return elements.toString();
    }
}

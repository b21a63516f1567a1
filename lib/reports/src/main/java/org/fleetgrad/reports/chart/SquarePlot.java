package org.fleetgrad.reports.chart;

import static org.fleetgrad.reports.chart.Markup.format;

import java.util.List;
import java.util.stream.DoubleStream;
import org.fleetgrad.reports.chart.Chart.Point;

/**
 * Two quantities of the same units, on two axes of the same scale, with the diagonal on which they are equal. The style of the page
 * decides its colours. It is small, so that its text is readable on a narrow screen.
 */
public final class SquarePlot {

    private static final int WIDTH = 300;
    private static final int TOP = 8;
    private static final int RIGHT = WIDTH - 14;
    private static final int TITLE = 16;
    private static final int LINE = 14;
    /** A letter of a label is about this wide. */
    private static final double LETTER = 6;
    /** Values that differ by less are drawn as equal: the ticks of a smaller range would all read the same. */
    private static final double LEAST_RANGE = 1e-6;

    private static final int LONGEST_LABEL = 9;
    private static final int LONGEST_TITLE = 40;

    private final String xTitle;
    private final String yTitle;
    private final List<Point> points;
    private final Scale scale;
    private final int left;
    private final double side;

    /**
     * Lays the picture out.
     *
     * @param xTitle title of the horizontal axis, with its unit; yTitle likewise
     * @param points what is drawn
     */
    public SquarePlot(String xTitle, String yTitle, List<Point> points) {
        this.xTitle = xTitle;
        this.yTitle = yTitle;
        this.points = List.copyOf(points);
        this.scale = scale(this.points);
        this.left = TITLE + (int) (widest() + LETTER);
        this.side = RIGHT - left;
    }

    private static Scale scale(List<Point> points) {
        double[] all = points.stream()
                .flatMapToDouble(point -> DoubleStream.of(point.x(), point.y()))
                .toArray();
        double least = DoubleStream.of(all).min().orElse(0);
        double most = DoubleStream.of(all).max().orElse(1);
        double margin = LEAST_RANGE * Math.max(Math.abs(least), Math.abs(most));
        return most - least > margin ? Scale.linear(least, most, "") : Scale.linear(least - margin, most + margin, "");
    }

    /** Draws the points as a line. */
    public String line(String label) {
        Svg svg = axes();
        svg.polyline("held-out", places());
        return picture(svg, label);
    }

    /** Draws the points as dots. */
    public String dots(String label) {
        Svg svg = axes();
        svg.dots("dots", places());
        return picture(svg, label);
    }

    private String picture(Svg svg, String label) {
        return "<div class=\"plot\">" + svg.picture(WIDTH, (int) (bottom() + 2 * LINE + LINE / 2), label) + "</div>";
    }

    private List<Point> places() {
        return points.stream()
                .map(point -> new Point(x(scale.place(point.x())), y(scale.place(point.y()))))
                .toList();
    }

    private Svg axes() {
        Svg svg = new Svg();
        // Ticks whose labels would run into each other are not all labelled below.
        int every = (int) Math.ceil((widest() + LETTER) * scale.ticks().size() / side);
        for (int i = 0; i < scale.ticks().size(); i++) {
            double tick = scale.ticks().get(i);
            double place = scale.placeOfTick(tick);
            svg.line("grid", left, y(place), RIGHT, y(place));
            svg.line("grid", x(place), TOP, x(place), bottom());
            svg.text("label", "end", left - 4, y(place) + 4, label(tick));
            if (i % every == 0) {
                svg.text("label", "middle", x(place), bottom() + LINE, label(tick));
            }
        }
        svg.line("diagonal", x(0), y(0), x(1), y(1));
        svg.text("label", "middle", left + side / 2, bottom() + 2 * LINE, title(xTitle));
        svg.uprightText("label", TITLE - 5, TOP + side / 2, title(yTitle));
        return svg;
    }

    private double widest() {
        return LETTER
                * scale.ticks().stream()
                        .mapToInt(tick -> label(tick).length())
                        .max()
                        .orElse(0);
    }

    private String label(double tick) {
        String text = scale.text(tick);
        return text.length() <= LONGEST_LABEL ? text : format("%.1e", tick);
    }

    private static String title(String text) {
        return text.codePointCount(0, text.length()) <= LONGEST_TITLE
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST_TITLE - 1)) + "…";
    }

    private double bottom() {
        return TOP + side;
    }

    private double x(double place) {
        return left + side * place;
    }

    private double y(double place) {
        return bottom() - side * place;
    }
}

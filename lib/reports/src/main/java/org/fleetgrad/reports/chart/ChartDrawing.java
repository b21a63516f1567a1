package org.fleetgrad.reports.chart;

import java.util.List;
import java.util.stream.DoubleStream;
import org.fleetgrad.reports.chart.Chart.Mark;
import org.fleetgrad.reports.chart.Chart.Panel;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Surface.Anchor;
import org.fleetgrad.reports.chart.Surface.LineKind;
import org.fleetgrad.reports.chart.Surface.TextKind;

/** Lays a chart out and draws it, the same on every surface. */
final class ChartDrawing {

    static final int WIDTH = 860;

    private static final int LEFT = 78;
    private static final int RIGHT = WIDTH - 24;
    private static final int TOP = 104;
    private static final int PANEL_HEIGHT = 180;
    private static final int BETWEEN = 44;
    private static final int BOTTOM = 52;
    private static final int LEGEND_LINE = 26;
    /** A letter of a label is about this wide. */
    private static final double LETTER = 6.6;

    private final Chart chart;
    private final Scale x;

    ChartDrawing(Chart chart) {
        this.chart = chart;
        double[] all = DoubleStream.concat(
                        chart.marks().stream().mapToDouble(Mark::x),
                        chart.panels().stream()
                                .flatMap(panel -> panel.series().stream())
                                .flatMap(series -> series.points().stream())
                                .mapToDouble(Point::x))
                .toArray();
        this.x = chart.x()
                .scale(DoubleStream.of(all))
                .endingAt(DoubleStream.of(all).max().orElse(0));
    }

    int height() {
        int panels = chart.panels().size();
        return TOP + panels * PANEL_HEIGHT + (panels - 1) * BETWEEN + BOTTOM;
    }

    void on(Surface surface) {
        surface.text(TextKind.TITLE, Anchor.START, LEFT, 26, chart.title());
        surface.text(TextKind.SUBTITLE, Anchor.START, LEFT, 46, chart.subtitle());
        for (int i = 0; i < chart.panels().size(); i++) {
            panel(surface, chart.panels().get(i), TOP + i * (PANEL_HEIGHT + BETWEEN), i == 0);
        }
        int bottom = height() - BOTTOM;
        for (double tick : x.ticks()) {
            surface.text(TextKind.LABEL, Anchor.MIDDLE, xOf(x.placeOfTick(tick)), bottom + 18, x.text(tick));
        }
        surface.text(
                TextKind.LABEL,
                Anchor.MIDDLE,
                (LEFT + RIGHT) / 2.0,
                bottom + 38,
                chart.x().title());
    }

    private void panel(Surface surface, Panel panel, int top, boolean isFirst) {
        int bottom = top + PANEL_HEIGHT;
        Scale y = panel.y()
                .scale(panel.series().stream()
                        .flatMap(series -> series.points().stream())
                        .mapToDouble(Point::y));
        for (double tick : y.ticks()) {
            double at = bottom - y.placeOfTick(tick) * PANEL_HEIGHT;
            surface.line(LineKind.GRID, LEFT, at, RIGHT, at);
            surface.text(TextKind.LABEL, Anchor.END, LEFT - 8, at + 4, y.text(tick));
        }
        for (double tick : x.ticks()) {
            surface.line(LineKind.AXIS, xOf(x.placeOfTick(tick)), bottom, xOf(x.placeOfTick(tick)), bottom + 5);
        }
        marks(surface, top, bottom, isFirst);
        surface.line(LineKind.AXIS, LEFT, bottom, RIGHT, bottom);
        surface.line(LineKind.AXIS, LEFT, top, LEFT, bottom);
        surface.uprightText(20, (top + bottom) / 2.0, panel.y().title());
        for (int i = 0; i < panel.series().size(); i++) {
            List<Point> points = panel.series().get(i).points().stream()
                    .map(point -> new Point(xOf(x.place(point.x())), bottom - y.place(point.y()) * PANEL_HEIGHT))
                    .toList();
            if (!points.isEmpty()) {
                surface.series(Tone.ALL.get(i), points);
            }
        }
        // The marks' texts are between the legend and the first panel.
        legend(surface, panel, isFirst ? top - 28 : top - 8);
    }

    /** The marks' texts are in the first panel only, each if it fits before the next mark. */
    private void marks(Surface surface, int top, int bottom, boolean isFirst) {
        double taken = 0;
        for (Mark mark : chart.marks()) {
            double at = xOf(x.place(mark.x()));
            surface.line(LineKind.MARK, at, top, at, bottom);
            if (isFirst && at + 4 >= taken) {
                surface.text(TextKind.LABEL, Anchor.START, at + 4, top - 8, mark.text());
                taken = at + 4 + LETTER * mark.text().length();
            }
        }
    }

    /** The legend is above the panel, at its right end. */
    private static void legend(Surface surface, Panel panel, double y) {
        double at = RIGHT;
        for (int i = panel.series().size() - 1; i >= 0; i--) {
            String name = panel.series().get(i).name();
            surface.text(TextKind.LABEL, Anchor.END, at, y, name);
            at -= LETTER * name.length() + 10;
            surface.series(Tone.ALL.get(i), List.of(new Point(at - LEGEND_LINE, y - 4), new Point(at, y - 4)));
            at -= LEGEND_LINE + 18;
        }
    }

    private static double xOf(double place) {
        return LEFT + (RIGHT - LEFT) * place;
    }
}

package org.fleetgrad.reports.chart;

import java.util.List;
import org.fleetgrad.reports.chart.Chart.Point;

/** What a chart is drawn on. Positions are in pixels from the upper left corner. */
interface Surface {

    /** Where a text lies relative to its place. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** What a line is, which decides its colour. */
    enum LineKind {
        GRID,
        AXIS,
        MARK
    }

    /** What a text is, which decides its size and weight. */
    enum TextKind {
        TITLE,
        SUBTITLE,
        LABEL
    }

    void line(LineKind kind, double x1, double y1, double x2, double y2);

    /** Draws a line of a series, and a dot if it is a single point. */
    void series(Tone tone, List<Point> points);

    /** Writes text whose base line is at {@code y}. */
    void text(TextKind kind, Anchor anchor, double x, double y, String text);

    /** Writes text from the bottom up, with its middle at this place. */
    void uprightText(double x, double y, String text);
}

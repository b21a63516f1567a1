package org.fleetgrad.reports.chart;

import java.util.List;
import java.util.Locale;
import org.fleetgrad.reports.chart.Chart.Point;

/** Draws SVG whose colours follow the reader's light or dark page. */
final class SvgSurface implements Surface {

    private static final String STYLE = """
            svg{--paper:#ffffff;--ink:#1f2933;--faint:#52606d;--grid:#dfe4ea;--mark:#7b8794;%s
            font:12px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;background:var(--paper)}
            @media (prefers-color-scheme:dark){svg{--paper:#14181d;--ink:#e4e7eb;--faint:#b3bdc8;--grid:#323f4b;--mark:#9aa5b1;%s}}
            .paper{fill:var(--paper)}text{fill:var(--ink)}.title{font-size:17px;font-weight:600}.subtitle{fill:var(--faint);font-size:13px}
            .label{fill:var(--faint)}.grid{stroke:var(--grid)}.axis{stroke:var(--faint)}.mark{stroke:var(--mark);stroke-dasharray:4 3}
            .series{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
            """;

    private final StringBuilder svg = new StringBuilder();

    /** Returns the complete file. */
    static String of(Chart chart) {
        ChartDrawing drawing = new ChartDrawing(chart);
        SvgSurface surface = new SvgSurface();
        surface.add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " aria-labelledby=\"title desc\">%n",
                ChartDrawing.WIDTH, drawing.height(), ChartDrawing.WIDTH, drawing.height());
        surface.add(
                "<title id=\"title\">%s</title>%n<desc id=\"desc\">%s</desc>%n",
                escaped(chart.title()), escaped(chart.subtitle()));
        surface.add("<style>%n%s</style>%n", style());
        surface.add("<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>%n");
        drawing.on(surface);
        return surface.svg.append("</svg>\n").toString();
    }

    private static String style() {
        StringBuilder light = new StringBuilder();
        StringBuilder dark = new StringBuilder();
        StringBuilder classes = new StringBuilder();
        for (Tone tone : Tone.ALL) {
            String name = name(tone);
            light.append("--").append(name).append(':').append(tone.light()).append(';');
            dark.append("--").append(name).append(':').append(tone.dark()).append(';');
            classes.append('.')
                    .append(name)
                    .append("{stroke:var(--")
                    .append(name)
                    .append(");");
            if (!tone.dashes().isEmpty()) {
                classes.append("stroke-dasharray:").append(tone.dashes());
            }
            classes.append("}\n");
        }
        return STYLE.formatted(light, dark) + classes;
    }

    private static String name(Tone tone) {
        return tone.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void grid(double x1, double y1, double x2, double y2) {
        line("grid", x1, y1, x2, y2);
    }

    @Override
    public void axis(double x1, double y1, double x2, double y2) {
        line("axis", x1, y1, x2, y2);
    }

    @Override
    public void mark(double x1, double y1, double x2, double y2) {
        line("mark", x1, y1, x2, y2);
    }

    private void line(String kind, double x1, double y1, double x2, double y2) {
        add("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n", kind, x1, y1, x2, y2);
    }

    @Override
    public void series(Tone tone, List<Point> points) {
        StringBuilder path = new StringBuilder();
        for (Point point : points) {
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", point.x(), point.y()));
        }
        if (points.size() == 1) {
            // A line of no length with round ends is a dot.
            path.append(path);
        }
        add(
                "<polyline class=\"series %s\" points=\"%s\"/>%n",
                name(tone), path.toString().strip());
    }

    @Override
    public void text(TextKind kind, Anchor anchor, double x, double y, String text) {
        add(
                "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n",
                kind.name().toLowerCase(Locale.ROOT), anchor.name().toLowerCase(Locale.ROOT), x, y, escaped(text));
    }

    @Override
    public void uprightText(double x, double y, String text) {
        add(
                "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(%.1f %.1f) rotate(-90)\">%s</text>%n",
                x, y, escaped(text));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values).replace(System.lineSeparator(), "\n"));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}

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

    private final Svg svg = new Svg();

    static String of(Chart chart) {
        ChartDrawing drawing = new ChartDrawing(chart);
        SvgSurface surface = new SvgSurface();
        drawing.on(surface);
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img" \
                aria-labelledby="title desc">
                <title id="title">%3$s</title>
                <desc id="desc">%4$s</desc>
                <style>
                %5$s</style>
                <rect class="paper" width="100%%" height="100%%"/>
                %6$s</svg>
                """.formatted(
                        ChartDrawing.WIDTH,
                        drawing.height(),
                        Markup.text(chart.title()),
                        Markup.text(chart.subtitle()),
                        style(),
                        surface.svg);
    }

    private static String style() {
        StringBuilder light = new StringBuilder();
        StringBuilder dark = new StringBuilder();
        StringBuilder classes = new StringBuilder();
        for (Tone tone : Tone.ALL) {
            String name = lowerCase(tone);
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

    @Override
    public void line(LineKind kind, double x1, double y1, double x2, double y2) {
        svg.line(lowerCase(kind), x1, y1, x2, y2);
    }

    @Override
    public void series(Tone tone, List<Point> points) {
        svg.polyline("series " + lowerCase(tone), points);
    }

    @Override
    public void text(TextKind kind, Anchor anchor, double x, double y, String text) {
        svg.text(lowerCase(kind), lowerCase(anchor), x, y, text);
    }

    @Override
    public void uprightText(double x, double y, String text) {
        svg.uprightText("label", x, y, text);
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

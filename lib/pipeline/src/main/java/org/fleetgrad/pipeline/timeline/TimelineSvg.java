package org.fleetgrad.pipeline.timeline;

import java.util.Locale;

/**
 * Draws a timeline as SVG: a row for each stage, a box for each span, and bubbles where there is none. A box has the number
 * of its micro-batch, and below it the version of its weights if there is room; pointing at it tells all numbers.
 */
public final class TimelineSvg {

    private static final int LEFT = 90;
    private static final int TOP = 34;
    private static final int ROW = 44;
    private static final int BOX = 36;
    private static final int RIGHT = 110;

    /** Below this width, a number would not fit into a box. */
    private static final double WIDTH_OF_A_NUMBER = 14;

    private TimelineSvg() {}

    /**
     * Returns a whole SVG document.
     *
     * @param width of the time axis, in pixels
     */
    public static String draw(Timeline timeline, int width) {
        int height = TOP + timeline.stages() * ROW + 8;
        int whole = LEFT + width + RIGHT;
        StringBuilder svg = new StringBuilder();
        svg.append("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" \
                aria-label="what each stage of the pipeline did over time">
                <style>text{font:12px sans-serif;fill:#222}.v{font-size:10px}.n{text-anchor:middle}.forward{fill:#8ecae6}\
                .backward{fill:#ffb703}.step{fill:#90be6d}.bubble{fill:#eee}</style>
                """.formatted(whole, height, whole, height));
        appendLegend(svg);
        for (int stage = 0; stage < timeline.stages(); stage++) {
            appendRow(svg, timeline, stage, width);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void appendLegend(StringBuilder svg) {
        int x = LEFT;
        for (String name : new String[] {"forward", "backward", "step", "bubble"}) {
            svg.append("""
                    <rect class="%s" x="%d" y="8" width="12" height="12"/><text x="%d" y="18">%s</text>
                    """.formatted(name, x, x + 16, name));
            x += 90;
        }
    }

    private static void appendRow(StringBuilder svg, Timeline timeline, int stage, int width) {
        int y = TOP + stage * ROW;
        svg.append(String.format(
                Locale.ROOT,
                """
                <text x="8" y="%d">stage %d</text><rect class="bubble" x="%d" y="%d" width="%d" height="%d"/>\
                <text x="%d" y="%d">bubble %.1f%%</text>
                """,
                y + 22,
                stage,
                LEFT,
                y,
                width,
                BOX,
                LEFT + width + 8,
                y + 22,
                100 * timeline.bubble(stage)));
        double scale = width / (double) Math.max(1, timeline.makespan());
        for (Span span : timeline.of(stage)) {
            double x = LEFT + (double) (span.start() - timeline.start()) * scale;
            appendBox(svg, span, x, y, (double) span.duration() * scale);
        }
    }

    private static void appendBox(StringBuilder svg, Span span, double x, int y, double width) {
        String name = span.activity().name().toLowerCase(Locale.ROOT);
        String weights = "v%d%s".formatted(span.weights(), span.predicted() > 0 ? "+" + span.predicted() : "");
        svg.append(String.format(
                Locale.ROOT,
                """
                <rect class="%s" x="%.2f" y="%d" width="%.2f" height="%d" stroke="#fff" stroke-width="0.5">\
                <title>%s of micro-batch %d with %s, staleness %d, %.3f ms</title></rect>
                """,
                name,
                x,
                y,
                width,
                BOX,
                name,
                span.microBatch(),
                weights,
                span.staleness(),
                (double) span.duration() / 1e6));
        if (width >= WIDTH_OF_A_NUMBER) {
            double middle = x + width / 2;
            svg.append(String.format(Locale.ROOT, """
                    <text class="n" x="%.2f" y="%d">%d</text><text class="n v" x="%.2f" y="%d">%s</text>
                    """, middle, y + 16, span.microBatch(), middle, y + 30, weights));
        }
    }
}

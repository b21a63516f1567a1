package org.fleetgrad.pipeline.timeline;

import java.util.Locale;

/**
 * Draws a timeline as SVG: a row for each stage, a box for each span, and bubbles where there is none. A box shows the
 * number of its micro-batch, and below it the version of its weights, if they fit; its tooltip has all numbers. The
 * background is white, so that it is readable on dark pages too.
 */
public final class TimelineSvg {

    private static final int LEFT = 90;
    private static final int TOP = 34;
    private static final int ROW = 44;
    private static final int BOX = 36;
    private static final int RIGHT = 110;

    /** Width in pixels of a letter in the upper and in the lower line of a box, and the padding beside the text. */
    private static final double LETTER = 7;

    private static final double SMALL_LETTER = 5.6;
    private static final double MARGIN = 2;

    private TimelineSvg() {}

    /**
     * Returns a complete SVG document.
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
                .backward{fill:#ffb703}.step{fill:#90be6d}.bubble{fill:#e8e8e8}\
                .paper{fill:#fff}rect{stroke:#fff;stroke-width:.5}</style>
                <rect class="paper" width="%d" height="%d" rx="6"/>
                """.formatted(whole, height, whole, height, whole, height));
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
                <rect class="%s" x="%.2f" y="%d" width="%.2f" height="%d">\
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
        String number = Long.toString(span.microBatch());
        double middle = x + width / 2;
        if (fits(number, LETTER, width)) {
            svg.append(String.format(Locale.ROOT, """
                    <text class="n" x="%.2f" y="%d">%s</text>
                    """, middle, y + 16, number));
        }
        String shown = fits(weights, SMALL_LETTER, width) ? weights : weights.substring(1);
        if (fits(shown, SMALL_LETTER, width)) {
            svg.append(String.format(Locale.ROOT, """
                    <text class="n v" x="%.2f" y="%d">%s</text>
                    """, middle, y + 30, shown));
        }
    }

    private static boolean fits(String text, double letter, double width) {
        return text.length() * letter + MARGIN <= width;
    }
}

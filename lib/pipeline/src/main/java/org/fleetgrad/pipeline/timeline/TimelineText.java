package org.fleetgrad.pipeline.timeline;

import java.util.Arrays;
import java.util.Locale;
import org.fleetgrad.pipeline.timeline.Span.Activity;

/**
 * Draws a timeline as text: two lines for each stage, the activity above the version of its weights.
 *
 * <pre>
 * stage 0  FFFF..BFBFBB....  bubble 25.0%
 *          0000..01213456..
 * </pre>
 *
 * <p>F is forward, B backward, S a step, and a dot a bubble. A version is shown by its last digit.
 */
public final class TimelineText {

    private static final char BUBBLE = '.';

    private TimelineText() {}

    /**
     * Returns the picture, with a line feed after each line.
     *
     * @param columns number of letters for the whole time, 1 or more; a letter shows what happens in the middle of its
     *     time
     */
    public static String draw(Timeline timeline, int columns) {
        if (columns < 1) {
            throw new IllegalArgumentException("a timeline needs 1 or more columns, not %d".formatted(columns));
        }
        StringBuilder text = new StringBuilder();
        for (int stage = 0; stage < timeline.stages(); stage++) {
            char[] activities = new char[columns];
            char[] versions = new char[columns];
            Arrays.fill(activities, BUBBLE);
            Arrays.fill(versions, BUBBLE);
            for (Span span : timeline.of(stage)) {
                int from = firstMiddle(timeline, span.start(), columns);
                int to = firstMiddle(timeline, span.end(), columns);
                Arrays.fill(activities, from, to, letter(span.activity()));
                Arrays.fill(versions, from, to, Character.forDigit((int) (span.weights() % 10), 10));
            }
            String name = "stage %d  ".formatted(stage);
            text.append(name)
                    .append(activities)
                    .append(String.format(Locale.ROOT, "  bubble %.1f%%", 100 * timeline.bubble(stage)))
                    .append('\n')
                    .append(" ".repeat(name.length()))
                    .append(versions)
                    .append('\n');
        }
        return text.toString();
    }

    /** Returns the first column whose middle is not before {@code time}. */
    private static int firstMiddle(Timeline timeline, long time, int columns) {
        double column = (double) (time - timeline.start()) * columns / (double) Math.max(1, timeline.makespan());
        return Math.min(columns, (int) Math.ceil(column - 0.5));
    }

    private static char letter(Activity activity) {
        return activity.name().charAt(0);
    }
}

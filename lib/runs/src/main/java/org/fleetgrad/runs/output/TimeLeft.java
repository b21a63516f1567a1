package org.fleetgrad.runs.output;

import java.util.Locale;

/**
 * How much of a run is done, and how long the rest takes.
 *
 * @param share   of the run, 0 to 1
 * @param seconds that the rest takes
 * @param least   seconds that it takes at least, as far as one can tell
 * @param most    seconds that it takes at most, likewise
 * @param isLimit whether this is only when the run ends at the latest: it may reach its target at any time
 */
public record TimeLeft(double share, double seconds, double least, double most, boolean isLimit) {

    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 24 * HOUR;

    /** A range is shown if its ends differ by this factor. */
    private static final double UNCERTAIN = 1.5;

    /** Makes one of a run whose end can be foreseen. */
    public TimeLeft(double share, double seconds, double least, double most) {
        this(share, seconds, least, most, false);
    }

    /** Returns it in words, such as {@code 52%, about 40 s left}, with the range if that is wide. */
    public String text() {
        if (isLimit) {
            return "at most %s left".formatted(duration(most));
        }
        String range = most > UNCERTAIN * least && most - least >= 1
                ? " (%s to %s)".formatted(duration(least), duration(most))
                : "";
        return String.format(
                Locale.ROOT, "%.0f%%, about %s left%s", Math.floor(100 * Math.min(1, share)), duration(seconds), range);
    }

    private static String duration(double seconds) {
        if (seconds < 2 * MINUTE) {
            return String.format(Locale.ROOT, "%.0f s", seconds);
        }
        if (seconds < 2 * HOUR) {
            return String.format(Locale.ROOT, "%.0f min", seconds / MINUTE);
        }
        return seconds < 2 * DAY
                ? String.format(Locale.ROOT, "%.1f h", seconds / HOUR)
                : String.format(Locale.ROOT, "%.1f days", Math.min(seconds / DAY, 9999));
    }
}

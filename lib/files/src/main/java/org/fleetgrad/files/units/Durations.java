package org.fleetgrad.files.units;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: whole numbers with a unit, largest unit first, such as {@code 500ms}, {@code 30s},
 * {@code 1h30m} or {@code 2d}. The units are d, h, m, s and ms, in upper or lower case. ISO-8601's {@code PT12H} is
 * accepted, too.
 *
 * <p>A duration is never negative, has whole milliseconds, and is at most {@link #LONGEST}.
 */
public final class Durations {

    /** The longest duration, 292 years: its nanoseconds still fit in a {@code long}. */
    public static final Duration LONGEST = Duration.ofDays(106_751);

    private static final ChronoUnit[] UNITS = {
        ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS, ChronoUnit.MILLIS
    };
    private static final String[] SUFFIXES = {"d", "h", "m", "s", "ms"};

    /** One group for each unit; at least one must match. */
    private static final Pattern FORM = Pattern.compile(
            "(?=\\d)(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m(?!s))?(?:(\\d+)s)?(?:(\\d+)ms)?", Pattern.CASE_INSENSITIVE);

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException when the text has another form, or is longer than {@link #LONGEST}; the message
     *     has the text and the limit
     */
    public static Duration parse(String text) {
        if (text.toUpperCase(Locale.ROOT).startsWith("P")) {
            return iso(text);
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw malformed(text);
        }
        Duration sum = Duration.ZERO;
        for (int i = 0; i < UNITS.length; i++) {
            String digits = matcher.group(i + 1);
            if (digits != null) {
                sum = sum.plus(checked(text, digits, UNITS[i]));
            }
        }
        return limited(text, sum);
    }

    /**
     * Writes a duration so that {@link #parse} reads the same: {@code 1h30m}, {@code 0s}.
     *
     * @throws IllegalArgumentException when it is negative, has a fraction of a millisecond, or is longer than
     *     {@link #LONGEST}
     */
    public static String print(Duration duration) {
        if (!isPrintable(duration)) {
            throw new IllegalArgumentException(
                    "a duration has whole milliseconds, from 0s to %s; this is %s".formatted(print(LONGEST), duration));
        }
        StringBuilder text = new StringBuilder();
        Duration rest = duration;
        for (int i = 0; i < UNITS.length; i++) {
            long count = rest.dividedBy(UNITS[i].getDuration());
            rest = rest.minus(count, UNITS[i]);
            if (count > 0) {
                text.append(count).append(SUFFIXES[i]);
            }
        }
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static boolean isPrintable(Duration duration) {
        return !duration.isNegative() && duration.compareTo(LONGEST) <= 0 && hasWholeMillis(duration);
    }

    private static boolean hasWholeMillis(Duration duration) {
        return duration.equals(duration.truncatedTo(ChronoUnit.MILLIS));
    }

    private static Duration iso(String text) {
        Duration read;
        try {
            read = Duration.parse(text);
        } catch (DateTimeParseException malformed) {
            throw malformed(text);
        }
        if (read.isNegative() || !hasWholeMillis(read)) {
            throw malformed(text);
        }
        return limited(text, read);
    }

    /** Checked before it is multiplied: a count of any length must not overflow. */
    private static Duration checked(String text, String digits, ChronoUnit unit) {
        long most = LONGEST.dividedBy(unit.getDuration());
        String significant = digits.replaceFirst("^0+(?=\\d)", "");
        if (significant.length() > 18 || Long.parseLong(significant) > most) {
            throw tooLong(text);
        }
        return Duration.of(Long.parseLong(significant), unit);
    }

    private static Duration limited(String text, Duration read) {
        if (read.compareTo(LONGEST) > 0) {
            throw tooLong(text);
        }
        return read;
    }

    private static IllegalArgumentException tooLong(String text) {
        return new IllegalArgumentException(
                "'%s' is too long; the longest duration is %s".formatted(text, print(LONGEST)));
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "'%s' is not a duration; write one such as 500ms, 30s, 10m, 12h or 2d".formatted(text));
    }
}

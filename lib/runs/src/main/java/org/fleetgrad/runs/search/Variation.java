package org.fleetgrad.runs.search;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.Printable;

/**
 * An option that a search varies, and the values that it tries: {@code momentum=0.8,0.9}, {@code learning-rate=0.003..0.1:log},
 * {@code layers=2..6}, {@code learning-rate=0.001..0.1:log:5}.
 *
 * @param option  its name, without dashes
 * @param choices its values
 * @param text    as the user wrote it
 */
public record Variation(String option, Choices choices, String text) {

    private static final int MOST_VALUES = 10_000;

    /** Beyond, not every whole number is a double. */
    private static final long LARGEST = 1L << 53;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,60}");
    private static final String NUMBER = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?";
    private static final Pattern RANGE = Pattern.compile("(%s)\\.\\.(%s)((?::[^:]*)*)".formatted(NUMBER, NUMBER));
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,17}");

    /** A path may contain two dots, too. */
    private static final Pattern MEANT_AS_RANGE =
            Pattern.compile("[^/,;\\\\]*[^/,;\\\\.]\\.\\.[^/,;\\\\]*|\\.\\.[^/,;\\\\]+");

    /**
     * Reads a variation.
     *
     * @throws IllegalArgumentException if it is none; the message says what to write
     */
    public static Variation parse(String text) {
        int equals = text.indexOf('=');
        String option = (equals < 0 ? text : text.substring(0, equals)).replaceFirst("^--", "");
        if (equals < 0 || !NAME.matcher(option).matches()) {
            throw new IllegalArgumentException(
                    "'%s': write OPTION=VALUES, such as momentum=0.8,0.9 or learning-rate=0.003..0.1:log"
                            .formatted(Printable.text(text)));
        }
        String values = text.substring(equals + 1);
        try {
            return new Variation(option, choices(values), text);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("%s: %s".formatted(option, wrong.getMessage()), wrong);
        }
    }

    /** Returns whether its values are listed, one by one. */
    public boolean isListed() {
        return choices instanceof Choices.Listed;
    }

    private static Choices choices(String values) {
        Matcher range = RANGE.matcher(values);
        if (range.matches()) {
            return range(range.group(1), range.group(2), range.group(3));
        }
        if (MEANT_AS_RANGE.matcher(values).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no range: write LOW..HIGH with two numbers, such as 2..6, 0.003..0.1:log or 0.1..0.9:5 for five values"
                            .formatted(Printable.text(values)));
        }
        return listed(List.of(values.split(values.contains(";") ? ";" : ",", -1)), values);
    }

    private static Choices.Listed listed(List<String> values, String text) {
        Set<String> distinct = new LinkedHashSet<>();
        for (String value : values) {
            if (value.isBlank() || !Printable.text(value).equals(value)) {
                throw new IllegalArgumentException(
                        "a value must be printable and not blank; one of '%s' is not".formatted(Printable.text(text)));
            }
            if (!distinct.add(value)) {
                throw new IllegalArgumentException("the value '%s' is there twice".formatted(value));
            }
        }
        requireFew(distinct.size());
        return new Choices.Listed(List.copyOf(distinct));
    }

    private static Choices range(String low, String high, String suffixes) {
        boolean isLogarithmic = false;
        int points = 0;
        for (String suffix : suffixes.isEmpty()
                ? List.<String>of()
                : List.of(suffixes.substring(1).split(":", -1))) {
            if (suffix.equals("log") && !isLogarithmic) {
                isLogarithmic = true;
            } else if (suffix.matches("\\d{1,9}") && points == 0) {
                points = Integer.parseInt(suffix);
                requireFew(points);
                if (points < 2) {
                    throw new IllegalArgumentException(
                            "a range has 2 values or more, its ends; %d are asked for".formatted(points));
                }
            } else {
                throw new IllegalArgumentException(
                        "a range may end with :log, and with a number of values such as :5; it ends with ':%s'"
                                .formatted(Printable.text(suffix)));
            }
        }
        Choices between = between(low, high, isLogarithmic);
        return points == 0 ? between : spaced(between, points);
    }

    private static Choices between(String low, String high, boolean isLogarithmic) {
        double from = Double.parseDouble(low);
        double to = Double.parseDouble(high);
        boolean isWhole = WHOLE.matcher(low).matches() && WHOLE.matcher(high).matches();
        double most = isWhole ? LARGEST : Double.MAX_VALUE;
        if (!(Math.abs(from) <= most && Math.abs(to) <= most) || !Double.isFinite(to - from)) {
            throw new IllegalArgumentException(
                    "the ends of a range must be finite, and whole ones up to 2^53; they are %s and %s"
                            .formatted(low, high));
        }
        if (from >= to) {
            throw new IllegalArgumentException(
                    "a range begins with its lower end; it is %s..%s: write %s..%s, or one value without dots"
                            .formatted(low, high, high, low));
        }
        if (isLogarithmic && from <= 0) {
            throw new IllegalArgumentException(
                    "a range with :log begins above 0, since it has no logarithm there; it begins at %s"
                            .formatted(low));
        }
        return isWhole
                ? new Choices.Wholes(Long.parseLong(low), Long.parseLong(high), isLogarithmic)
                : new Choices.Reals(from, to, isLogarithmic);
    }

    /** Returns values from end to end, in equal distances, or with equal factors. */
    private static Choices.Listed spaced(Choices range, int points) {
        Set<String> values = new LinkedHashSet<>();
        for (int i = 0; i < points; i++) {
            double share = i / (points - 1.0);
            if (range instanceof Choices.Reals reals) {
                double ends = i == 0 ? reals.low() : reals.high();
                boolean isEnd = i == 0 || i == points - 1;
                double between = Choices.between(reals.low(), reals.high(), reals.isLogarithmic(), share);
                values.add(reals.text(isEnd ? ends : between));
            } else if (range instanceof Choices.Wholes wholes) {
                double between =
                        Choices.between((double) wholes.low(), (double) wholes.high(), wholes.isLogarithmic(), share);
                values.add(Long.toString(Math.round(between)));
            }
        }
        return new Choices.Listed(new ArrayList<>(values));
    }

    private static void requireFew(int values) {
        if (values > MOST_VALUES) {
            throw new IllegalArgumentException(
                    "an option may have %,d values; these are %,d".formatted(MOST_VALUES, values));
        }
    }
}

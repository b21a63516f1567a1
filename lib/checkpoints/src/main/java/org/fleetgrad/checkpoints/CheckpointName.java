package org.fleetgrad.checkpoints;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of checkpoints: {@code checkpoint-000001} and on; from a million on they grow longer. */
final class CheckpointName {

    /** What every name begins with. */
    static final String BEGINNING = "checkpoint-";

    private static final long LAST = 999_999_999_999L;
    private static final Pattern NAME = Pattern.compile(BEGINNING + "([0-9]{6,12})");

    private CheckpointName() {}

    static String of(long number) {
        return BEGINNING + "%06d".formatted(number);
    }

    /** Reads a name; what is none, or is another way to write a number, is nobody's. */
    static OptionalLong number(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        return number > 0 && of(number).equals(name) ? OptionalLong.of(number) : OptionalLong.empty();
    }

    static void require(long number) {
        if (number < 1 || number > LAST) {
            throw new IllegalArgumentException("checkpoints are numbered from 1 to %d, not %d".formatted(LAST, number));
        }
    }
}

package org.fleetgrad.checkpoints;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of checkpoints: {@code checkpoint-000001} and so on; from a million on, the number has more digits. */
final class CheckpointName {

    /** The prefix of every name. */
    static final String BEGINNING = "checkpoint-";

    private static final long LAST = 999_999_999_999L;
    private static final Pattern NAME = Pattern.compile(BEGINNING + "([0-9]{6,12})");

    private CheckpointName() {}

    static String of(long number) {
        return BEGINNING + "%06d".formatted(number);
    }

    /** Reads the number from a name. Empty if the text is not a checkpoint's name, or formats the number differently. */
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
            throw new IllegalArgumentException(
                    "a checkpoint's number must be from 1 to %d; it is %d".formatted(LAST, number));
        }
    }
}

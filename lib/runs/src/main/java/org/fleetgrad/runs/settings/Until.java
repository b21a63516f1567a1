package org.fleetgrad.runs.settings;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a run pauses, counted from the first step of its history: a run that went on from an earlier state counts that, too. So the
 * same text names the same place, however often the run was interrupted before it.
 *
 * @param step   the version to stop at, if steps count
 * @param epochs passes over the dataset to stop after, if epochs count; parts of one count
 */
public record Until(OptionalLong step, OptionalDouble epochs) {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,15})|(\\d{1,9}(?:\\.\\d{1,9})?)e");

    /** More digits would say nothing, and make long words. */
    private static final MathContext DIGITS = new MathContext(6);

    /** Stops at a step. */
    public static Until step(long step) {
        return new Until(OptionalLong.of(step), OptionalDouble.empty());
    }

    /** Stops after so many epochs. */
    public static Until epochs(double epochs) {
        return new Until(OptionalLong.empty(), OptionalDouble.of(epochs));
    }

    /**
     * Reads {@code 500} for a step, or {@code 1.5e} for epochs.
     *
     * @throws IllegalArgumentException if the text is neither, or 0
     */
    public static Until parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is neither a step such as 500 nor a number of epochs such as 1.5e".formatted(text));
        }
        Until until = matcher.group(1) != null
                ? step(Long.parseLong(matcher.group(1)))
                : epochs(Double.parseDouble(matcher.group(2)));
        if (until.amount() <= 0) {
            throw new IllegalArgumentException(
                    "there is nothing to train until %s: it must be above 0".formatted(text));
        }
        return until;
    }

    /** Returns the steps or the epochs. */
    public double amount() {
        return step.isPresent() ? step.getAsLong() : epochs.orElseThrow();
    }

    /**
     * Returns a part of the way.
     *
     * @param divisor 1 or more; a step is rounded up
     */
    public Until over(long divisor) {
        return step.isPresent()
                ? step(step.getAsLong() / divisor + (step.getAsLong() % divisor == 0 ? 0 : 1))
                : epochs(new BigDecimal(epochs.orElseThrow() / (double) divisor, DIGITS).doubleValue());
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return step.isPresent()
                ? Long.toString(step.getAsLong())
                : BigDecimal.valueOf(epochs.orElseThrow()).stripTrailingZeros().toPlainString() + "e";
    }
}

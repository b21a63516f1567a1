package org.fleetgrad.optim;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Writes a setting as {@link SpecText} reads it: a name, and the arguments that are not the usual ones. */
final class SpecWriter {

    /** What {@link SpecText} reads without an exponent. */
    private static final int MOST_CHARACTERS = 20;

    private final StringBuilder text;
    private char separator = ':';

    SpecWriter(String name) {
        this.text = new StringBuilder(name);
    }

    /** Writes an argument of one or more numbers. */
    SpecWriter with(String key, double... numbers) {
        return argument(key, Arrays.stream(numbers).mapToObj(SpecWriter::print).collect(Collectors.joining(",")));
    }

    /** Writes a number, unless it is the one that is meant without it. */
    SpecWriter unless(double usual, String key, double number) {
        return number == usual ? this : with(key, number);
    }

    /** Writes a number, unless it is the one that is meant without it. */
    SpecWriter unless(float usual, String key, float number) {
        return number == usual ? this : with(key, Decimals.written(number));
    }

    /** Writes a flag that is set. */
    SpecWriter flag(String key, boolean isSet) {
        return isSet ? argument(key, "true") : this;
    }

    private SpecWriter argument(String key, String value) {
        text.append(separator).append(key).append('=').append(value);
        separator = ',';
        return this;
    }

    /** Writes a number so that it is read back exactly. */
    private static String print(double number) {
        double size = Math.abs(number);
        if (number == 0 || (size >= 1e-5 && size < 1e15)) {
            String plain = BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
            if (plain.length() <= MOST_CHARACTERS) {
                return plain;
            }
        }
        return Double.toString(number);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

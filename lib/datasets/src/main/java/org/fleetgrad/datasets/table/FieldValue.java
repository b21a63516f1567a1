package org.fleetgrad.datasets.table;

import java.util.regex.Pattern;

/** What a field of a table says. */
final class FieldValue {

    /** What is longer is no number. The decimal expansion of a double has up to 1,077 digits, but nobody writes them. */
    private static final int LONGEST_NUMBER = 400;

    /** Whole numbers below are exact doubles. */
    private static final long MOST_EXACT = 1L << 53;

    /** Powers of ten up to the 22nd are exact doubles: a product or quotient of two exact ones is rounded once, and so right. */
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    /** What {@link #number} takes for a number if it is finite, and the words for an infinite one. */
    private static final Pattern INFINITE =
            Pattern.compile("[+-]?(?i:inf|infinity|(?:\\d++\\.?\\d*+|\\.\\d++)(?:e[+-]?\\d++)?)");

    private FieldValue() {}

    /** Returns whether a value says that there is none. */
    static boolean isMissing(String value) {
        return switch (value.length()) {
            case 0 -> true;
            case 1 -> value.charAt(0) == '?';
            case 2 -> value.equals("NA");
            case 3 -> value.equals("N/A") || value.equals("NaN");
            case 4 -> value.equals("null");
            default -> false;
        };
    }

    /** Returns a finite decimal number, or NaN if the value is anything else. */
    static double number(String value) {
        int length = value.length();
        if (length == 0 || length > LONGEST_NUMBER) {
            return Double.NaN;
        }
        boolean isNegative = value.charAt(0) == '-';
        int at = isNegative || value.charAt(0) == '+' ? 1 : 0;
        long digits = 0;
        int count = 0;
        int scale = 0;
        boolean hasPoint = false;
        for (; at < length; at++) {
            char c = value.charAt(at);
            if (c >= '0' && c <= '9') {
                count++;
                // Longer numbers go to the JDK, whose result does not depend on this.
                digits = digits < MOST_EXACT ? digits * 10 + (c - '0') : digits;
                scale += hasPoint ? 1 : 0;
            } else if (c == '.' && !hasPoint) {
                hasPoint = true;
            } else {
                break;
            }
        }
        if (count == 0 || (at < length && !isExponent(value, at))) {
            return Double.NaN;
        }
        if (at == length && digits < MOST_EXACT && scale < POWERS.length) {
            double number = digits / POWERS[scale];
            return isNegative ? -number : number;
        }
        double number = Double.parseDouble(value);
        return Double.isFinite(number) ? number : Double.NaN;
    }

    /** Returns whether a value says a number that is infinite, or larger than the largest double: {@code -inf}, {@code 1e400}. */
    static boolean isInfinite(String value) {
        return Double.isNaN(number(value))
                && value.length() <= LONGEST_NUMBER
                && INFINITE.matcher(value).matches();
    }

    /** Java's own grammar has more: hexadecimal numbers, and letters for the type. */
    private static boolean isExponent(String value, int from) {
        int at = from;
        if (value.charAt(at) != 'e' && value.charAt(at) != 'E') {
            return false;
        }
        at++;
        if (at < value.length() && (value.charAt(at) == '-' || value.charAt(at) == '+')) {
            at++;
        }
        int first = at;
        while (at < value.length() && value.charAt(at) >= '0' && value.charAt(at) <= '9') {
            at++;
        }
        return at > first && at == value.length();
    }
}

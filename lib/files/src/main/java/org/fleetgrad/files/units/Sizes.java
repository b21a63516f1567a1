package org.fleetgrad.files.units;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of bytes as people write them: a whole number and a unit, such as {@code 256m} or {@code 1g}, as
 * {@code docker run -m} reads them. The units are k, m and g, powers of 1,024, in upper or lower case; a {@code b} may
 * follow, and a number without a unit counts bytes.
 */
public final class Sizes {

    private static final String UNITS = "kmg";
    private static final int BITS_OF_UNIT = 10;
    private static final Pattern FORM = Pattern.compile("(\\d+)([kmg]?)b?", Pattern.CASE_INSENSITIVE);
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private Sizes() {}

    /**
     * Reads a size, in bytes.
     *
     * @throws IllegalArgumentException when the text has another form, or is more than {@link Long#MAX_VALUE} bytes; the
     *     message has the text and the limit
     */
    public static long parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'%s' is not a size; write one such as 256m or 1g".formatted(text));
        }
        String unit = String.valueOf(matcher.group(2));
        int shift = unit.isEmpty() ? 0 : BITS_OF_UNIT * (1 + UNITS.indexOf(Character.toLowerCase(unit.charAt(0))));
        BigInteger bytes = new BigInteger(String.valueOf(matcher.group(1))).shiftLeft(shift);
        if (bytes.compareTo(LARGEST) > 0) {
            throw new IllegalArgumentException(
                    "'%s' is too large; the largest size is %d bytes".formatted(text, Long.MAX_VALUE));
        }
        return bytes.longValueExact();
    }

    /**
     * Writes a size so that {@link #parse} reads the same, in the largest unit that divides it: {@code 256m}, {@code 17}.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public static String print(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size is 0 bytes or more; this is %d".formatted(bytes));
        }
        int unit = bytes == 0 ? 0 : Math.min(UNITS.length(), Long.numberOfTrailingZeros(bytes) / BITS_OF_UNIT);
        String suffix = unit == 0 ? "" : UNITS.substring(unit - 1, unit);
        return (bytes >> (BITS_OF_UNIT * unit)) + suffix;
    }
}

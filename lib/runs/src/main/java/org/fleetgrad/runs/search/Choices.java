package org.fleetgrad.runs.search;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.OptionalLong;

/** The values that one option may have in a search. Immutable. */
public sealed interface Choices {

    /**
     * Returns a value.
     *
     * @param share where it lies among them, from 0 to below 1: equal shares are equally probable values
     */
    String at(double share);

    /** Returns how many there are; empty if nobody counts them. */
    OptionalLong count();

    /**
     * Returns a number between two.
     *
     * @param isLogarithmic whether equal shares are equal factors, not equal differences; {@code low} is above 0 then
     * @param share         of the way from {@code low} to {@code high}
     */
    static double between(double low, double high, boolean isLogarithmic, double share) {
        return isLogarithmic ? low * Math.pow(high / low, share) : low + (high - low) * share;
    }

    /**
     * Values one by one.
     *
     * @param values 1 or more, each another
     */
    record Listed(List<String> values) implements Choices {

        public Listed {
            values = List.copyOf(values);
        }

        @Override
        public String at(double share) {
            return values.get((int) (share * values.size()));
        }

        @Override
        public OptionalLong count() {
            return OptionalLong.of(values.size());
        }
    }

    /**
     * Numbers from {@code low} to below {@code high}, in five digits.
     *
     * @param isLogarithmic whether equal factors, not equal differences, are equally probable; {@code low} is above 0 then
     */
    record Reals(double low, double high, boolean isLogarithmic) implements Choices {

        private static final MathContext DIGITS = new MathContext(5);

        @Override
        public String at(double share) {
            return text(between(low, high, isLogarithmic, share));
        }

        /** Writes a value; what is rounded out of the range is its end. */
        String text(double value) {
            BigDecimal rounded = new BigDecimal(value)
                    .round(DIGITS)
                    .max(BigDecimal.valueOf(low))
                    .min(BigDecimal.valueOf(high));
            BigDecimal shortest = rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
            return shortest.scale() < 0 ? shortest.toPlainString() : shortest.toString();
        }

        @Override
        public OptionalLong count() {
            return OptionalLong.empty();
        }
    }

    /**
     * Whole numbers from {@code low} to {@code high}, both included.
     *
     * @param isLogarithmic whether equal factors, not equal differences, are equally probable; {@code low} is above 0 then
     */
    record Wholes(long low, long high, boolean isLogarithmic) implements Choices {

        @Override
        public String at(double share) {
            double value = between((double) low, high + 1.0, isLogarithmic, share);
            return Long.toString(Math.min(high, (long) Math.floor(value)));
        }

        @Override
        public OptionalLong count() {
            return OptionalLong.of(high - low + 1);
        }
    }
}

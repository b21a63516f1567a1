package org.fleetgrad.benchmarks.figures;

/**
 * The goal that the design sets for a figure.
 *
 * @param value the bound
 * @param bound whether the figure must be at least or at most the bound
 * @param of    the bounded quantity
 */
public record Goal(double value, Bound bound, Of of) {

    /** The direction of the bound. */
    public enum Bound {
        /** The bound or more. */
        AT_LEAST("≥"),
        /** The bound or less. */
        AT_MOST("≤");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }

        /** Returns the sign used in JSON and tables. */
        public String sign() {
            return sign;
        }
    }

    /** The bounded quantity. */
    public enum Of {
        /** Our value. */
        OURS,
        /** Our value divided by the one it is compared with. */
        RATIO
    }

    /** Requires our value to be {@code value} or more. */
    public static Goal atLeast(double value) {
        return new Goal(value, Bound.AT_LEAST, Of.OURS);
    }

    /** Requires our value to be {@code value} or less. */
    public static Goal atMost(double value) {
        return new Goal(value, Bound.AT_MOST, Of.OURS);
    }

    /** Requires the ratio to be {@code value} or more. */
    public static Goal ratioAtLeast(double value) {
        return new Goal(value, Bound.AT_LEAST, Of.RATIO);
    }

    /** Requires the ratio to be {@code value} or less. */
    public static Goal ratioAtMost(double value) {
        return new Goal(value, Bound.AT_MOST, Of.RATIO);
    }

    boolean isMetBy(double measured) {
        return bound == Bound.AT_LEAST ? measured >= value : measured <= value;
    }
}

package org.fleetgrad.benchmarks.figures;

/**
 * What the design asks of a figure.
 *
 * @param value the bound itself
 * @param bound whether more or less is better
 * @param of    what is bounded
 */
public record Goal(double value, Bound bound, Of of) {

    /** Which side of the value is right. */
    public enum Bound {
        /** The value or more. */
        AT_LEAST("≥"),
        /** The value or less. */
        AT_MOST("≤");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }

        /** Returns the sign in JSON and tables. */
        public String sign() {
            return sign;
        }
    }

    /** What a goal is stated of. */
    public enum Of {
        /** Our own value. */
        OURS,
        /** Ours as a multiple of what it is held against. */
        RATIO
    }

    /** Asks for this value of ours, or more. */
    public static Goal atLeast(double value) {
        return new Goal(value, Bound.AT_LEAST, Of.OURS);
    }

    /** Asks for this value of ours, or less. */
    public static Goal atMost(double value) {
        return new Goal(value, Bound.AT_MOST, Of.OURS);
    }

    /** Asks for this ratio, or more. */
    public static Goal ratioAtLeast(double value) {
        return new Goal(value, Bound.AT_LEAST, Of.RATIO);
    }

    /** Asks for this ratio, or less. */
    public static Goal ratioAtMost(double value) {
        return new Goal(value, Bound.AT_MOST, Of.RATIO);
    }

    boolean isMetBy(double measured) {
        return bound == Bound.AT_LEAST ? measured >= value : measured <= value;
    }
}

package org.fleetgrad.benchmarks.figures;

/**
 * The value that a figure is compared with.
 *
 * @param kind  another program, or a limit of the machine or the design
 * @param value its value, in the figure's unit
 * @param is    description of it
 */
public record Against(Kind kind, Values value, String is) {

    /** The kinds of comparison. */
    public enum Kind {
        /** Another program that does the same. */
        RIVAL("rival"),
        /** A limit of the machine or the design. */
        LIMIT("limit");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Returns the word used in JSON and tables. */
        public String word() {
            return word;
        }
    }

    /** Compares with another program that does the same. */
    public static Against rival(Values value, String is) {
        return new Against(Kind.RIVAL, value, is);
    }

    /** Compares with another program, of which one value is known. */
    public static Against rival(double value, String is) {
        return rival(Values.of(value), is);
    }

    /** Compares with a limit of the machine or the design. */
    public static Against limit(Values value, String is) {
        return new Against(Kind.LIMIT, value, is);
    }

    /** Compares with a limit that is known. */
    public static Against limit(double value, String is) {
        return limit(Values.of(value), is);
    }
}

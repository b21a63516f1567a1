package org.fleetgrad.benchmarks.figures;

/**
 * What a figure is held against.
 *
 * @param kind  another's work, or what the machine or the design allows
 * @param value its value, in the unit of ours
 * @param is    what it is
 */
public record Against(Kind kind, double value, String is) {

    /** Whether somebody does it, or nobody can do better. */
    public enum Kind {
        /** Another way of doing the same. */
        RIVAL("rival"),
        /** What the machine or the design allows. */
        LIMIT("limit");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Returns the word in JSON and tables. */
        public String word() {
            return word;
        }
    }

    /** Holds a figure against another way of doing the same. */
    public static Against rival(double value, String is) {
        return new Against(Kind.RIVAL, value, is);
    }

    /** Holds a figure against what the machine or the design allows. */
    public static Against limit(double value, String is) {
        return new Against(Kind.LIMIT, value, is);
    }
}

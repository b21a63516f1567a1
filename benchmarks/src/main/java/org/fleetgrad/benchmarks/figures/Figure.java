package org.fleetgrad.benchmarks.figures;

import java.util.Optional;

/**
 * One measured figure, compared with a rival or limit from the same rounds. Its name is unique in a run.
 *
 * @param goal the goal of the design
 */
public record Figure(String name, String what, String unit, Values ours, Against against, Optional<Goal> goal)
        implements Result {

    public static Name of(String name, String what) {
        return new Name(name, what);
    }

    public record Name(String name, String what) {

        public Ours ours(Values ours, String unit) {
            return new Ours(name, what, unit, ours);
        }

        public Ours ours(double ours, String unit) {
            return ours(Values.of(ours), unit);
        }
    }

    public record Ours(String name, String what, String unit, Values ours) {

        /** Compares with another program that does the same. */
        public Figure rival(Values value, String is) {
            return against(new Against("rival", value, is));
        }

        public Figure rival(double value, String is) {
            return rival(Values.of(value), is);
        }

        /** Compares with a limit of the machine or the design. */
        public Figure limit(Values value, String is) {
            return against(new Against("limit", value, is));
        }

        public Figure limit(double value, String is) {
            return limit(Values.of(value), is);
        }

        private Figure against(Against other) {
            return new Figure(name, what, unit, ours, other, Optional.empty());
        }
    }

    /**
     * The value that a figure is compared with.
     *
     * @param kind {@code rival}, another program, or {@code limit}, one of the machine or the design
     * @param is   description of it
     */
    public record Against(String kind, Values value, String is) {}

    /**
     * The goal that the design sets for a figure.
     *
     * @param sign    {@code ≥} or {@code ≤}
     * @param isRatio whether it bounds the ratio to the rival or limit, in place of our value
     */
    public record Goal(String sign, double value, boolean isRatio) {

        private boolean isMetBy(double measured) {
            return sign.equals("≥") ? measured >= value : measured <= value;
        }
    }

    public Figure atLeast(double value) {
        return with(new Goal("≥", value, false));
    }

    public Figure atMost(double value) {
        return with(new Goal("≤", value, false));
    }

    public Figure ratioAtLeast(double value) {
        return with(new Goal("≥", value, true));
    }

    public Figure ratioAtMost(double value) {
        return with(new Goal("≤", value, true));
    }

    private Figure with(Goal stated) {
        return new Figure(name, what, unit, ours, against, Optional.of(stated));
    }

    /** Returns our value divided by the other one of the same round, whether the figure should be large or small. */
    public Values ratio() {
        return ours.dividedBy(against.value());
    }

    /** Returns whether the goal is met; empty if there is none. */
    public Optional<Boolean> isGoalMet() {
        return goal.map(stated -> stated.isMetBy((stated.isRatio() ? ratio() : ours).median()));
    }
}

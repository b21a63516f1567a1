package org.fleetgrad.benchmarks.figures;

import java.util.Arrays;
import java.util.Optional;

/**
 * One measured figure beside its rival or limit.
 *
 * @param name    name in the JSON, unique in a run, such as {@code training}
 * @param what    what was measured
 * @param unit    of ours and of what it is held against
 * @param ours    ours
 * @param against what it is held against, from the same rounds
 * @param goal    what the design asks for
 */
public record Figure(String name, String what, String unit, double ours, Against against, Optional<Goal> goal)
        implements Result {

    /** Makes a figure without a goal. */
    public Figure(String name, String what, String unit, double ours, Against against) {
        this(name, what, unit, ours, against, Optional.empty());
    }

    /** Returns this figure with a goal. */
    public Figure withGoal(Goal stated) {
        return new Figure(name, what, unit, ours, against, Optional.of(stated));
    }

    /** Returns ours as a multiple of what it is held against, whichever of the two is to be the larger. */
    public double ratio() {
        return ours / against.value();
    }

    /** Tells whether the goal is met; absent where there is none. */
    public Optional<Boolean> isGoalMet() {
        return goal.map(stated -> stated.isMetBy(stated.of() == Goal.Of.OURS ? ours : ratio()));
    }

    /** Returns the middle value, or the mean of the middle two. */
    public static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}

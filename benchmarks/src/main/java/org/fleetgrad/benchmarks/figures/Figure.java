package org.fleetgrad.benchmarks.figures;

import java.util.Optional;

/**
 * One measured figure, compared with a rival or limit.
 *
 * @param name    name in the JSON, unique in a run, such as {@code training}
 * @param what    description of the measurement
 * @param unit    unit of both values
 * @param ours    the value of Fleetgrad
 * @param against the value to compare with, from the same rounds
 * @param goal    the goal of the design
 */
public record Figure(String name, String what, String unit, Values ours, Against against, Optional<Goal> goal)
        implements Result {

    /** Makes a figure without a goal. */
    public Figure(String name, String what, String unit, Values ours, Against against) {
        this(name, what, unit, ours, against, Optional.empty());
    }

    /** Makes a figure without a goal, of which one value is known. */
    public Figure(String name, String what, String unit, double ours, Against against) {
        this(name, what, unit, Values.of(ours), against);
    }

    /** Returns this figure with a goal. */
    public Figure withGoal(Goal stated) {
        return new Figure(name, what, unit, ours, against, Optional.of(stated));
    }

    /** Returns our value divided by the other one of the same round, whether the figure should be large or small. */
    public Values ratio() {
        return ours.dividedBy(against.value());
    }

    /** Returns whether the goal is met; empty if there is none. */
    public Optional<Boolean> isGoalMet() {
        return goal.map(stated -> stated.isMetBy((stated.of() == Goal.Of.OURS ? ours : ratio()).median()));
    }
}

package org.fleetgrad.runs.search;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.runs.settings.Until;

/**
 * A part of a search in which some trials train to the same share of their budget.
 *
 * @param trials  how many trials train
 * @param divisor the whole budget divided by that of this rung, 1 or more
 */
public record Rung(int trials, long divisor) {

    /**
     * Returns the rungs of successive halving (Jamieson and Talwalkar 2016, algorithm 1): all trials with a small budget, then one of
     * {@code eta} of them with {@code eta} times as much, until fewer than {@code eta} are left, which get the whole budget.
     *
     * @param trials in the first rung
     * @param eta    2 or more
     * @param whole  the budget of the last rung; there are no rungs of less than a step
     */
    public static List<Rung> halving(int trials, int eta, Until whole) {
        long divisor = 1;
        int left = trials;
        while (left / eta >= 1 && (whole.step().isEmpty() || whole.step().getAsLong() / (divisor * eta) >= 1)) {
            left /= eta;
            divisor *= eta;
        }
        List<Rung> rungs = new ArrayList<>();
        int training = trials;
        for (long part = divisor; part >= 1; part /= eta) {
            rungs.add(new Rung(training, part));
            training /= eta;
        }
        return rungs;
    }

    /** Returns where a trial of this rung pauses. */
    public Until until(Trial trial) {
        return divisor == 1 ? trial.until() : trial.until().over(divisor);
    }
}

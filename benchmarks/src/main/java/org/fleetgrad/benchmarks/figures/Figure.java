package org.fleetgrad.benchmarks.figures;

import java.util.Arrays;
import java.util.Locale;

/**
 * One measured figure beside its limit.
 *
 * @param what    what was measured, with its unit
 * @param ours    ours
 * @param limit   the limit, from the same run
 * @param limitIs what the limit is
 */
public record Figure(String what, double ours, double limit, String limitIs) {

    /** Returns the middle value, or the mean of the middle two. */
    public static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the line of the table. */
    public String row() {
        return String.format(Locale.ROOT, "%-44s %,14.1f %,14.1f %8.2f  %s", what, ours, limit, ours / limit, limitIs);
    }
}

package org.fleetgrad.datasets.table;

/** Mean and standard deviation of numbers, in one pass (Welford, 1962). Not thread-safe. */
final class Moments {

    private long count;
    private double mean;
    private double squares;

    void add(double value) {
        count++;
        double before = value - mean;
        mean += before / count;
        squares += before * (value - mean);
    }

    double mean() {
        return mean;
    }

    /** Returns the standard deviation; 1 if all numbers are alike, so that one can divide by it. */
    double std() {
        double std = Math.sqrt(squares / count);
        return std == 0 || count == 0 ? 1 : std;
    }

    /** Returns whether all numbers are alike. */
    boolean isConstant() {
        return squares == 0;
    }
}

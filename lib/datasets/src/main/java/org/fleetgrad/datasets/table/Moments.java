package org.fleetgrad.datasets.table;

/** Mean and standard deviation of numbers, in one pass (B. P. Welford 1962). Not thread-safe. */
public final class Moments {

    private long count;
    private double mean;
    private double squares;

    /** Adds a number. */
    public void add(double value) {
        count++;
        double before = value - mean;
        mean += before / count;
        squares += before * (value - mean);
    }

    /** Returns whether a number was added. */
    boolean hasAny() {
        return count > 0;
    }

    /** Returns the mean; 0 if there are no numbers. */
    public double mean() {
        return mean;
    }

    /** Returns the standard deviation; 1 if all numbers are alike, so that one can divide by it. */
    public double std() {
        double std = Math.sqrt(squares / count);
        return std == 0 || count == 0 ? 1 : std;
    }

    /** Returns the sum of the squares of the numbers' differences from their mean. */
    public double squares() {
        return squares;
    }

    /** Returns whether all numbers are alike. */
    public boolean isConstant() {
        return squares == 0;
    }
}

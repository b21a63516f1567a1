package org.fleetgrad.datasets.table;

import org.fleetgrad.files.text.Printable;

/**
 * A column of numbers. A value is standardized: 0 is the mean, 1 is one standard deviation above it.
 *
 * @param name       of the column
 * @param mean       of the training rows
 * @param std        standard deviation of the training rows; 1 if they are all alike
 * @param hasMissing whether a second number says with 1 that the value is missing
 */
public record NumberColumn(String name, double mean, double std, boolean hasMissing) implements TableColumn {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the name breaks its rule, or the numbers are not finite or nothing can be divided by them
     */
    public NumberColumn {
        TableColumn.requireName(name);
        requireStatistics(name, mean, std);
    }

    /** Checks a mean and a standard deviation. */
    static void requireStatistics(String name, double mean, double std) {
        if (!Double.isFinite(mean) || !Double.isFinite(std) || std <= 0) {
            throw new IllegalArgumentException(
                    "the column '%s' must have a finite mean and a positive, finite standard deviation; they are %s and %s"
                            .formatted(name, mean, std));
        }
    }

    @Override
    public int width() {
        return hasMissing ? 2 : 1;
    }

    @Override
    public void encode(String value, float[] row, int at) {
        boolean isMissing = FieldValue.isMissing(value);
        row[at] = isMissing ? 0 : standardized(name, number(name, value), mean, std);
        if (hasMissing) {
            row[at + 1] = isMissing ? 1 : 0;
        }
    }

    /** Reads a number that must be one. */
    static double number(String name, String value) {
        double number = FieldValue.number(value);
        if (Double.isNaN(number)) {
            throw new IllegalArgumentException(
                    "the column '%s' takes numbers; it is '%s'".formatted(name, Printable.text(value)));
        }
        return number;
    }

    /** Returns how many standard deviations a value is above the mean. */
    static float standardized(String name, double value, double mean, double std) {
        float standardized = (float) ((value - mean) / std);
        if (!Float.isFinite(standardized)) {
            throw new IllegalArgumentException(
                    "the column '%s' has the mean %s and the standard deviation %s; %s is too far from them"
                            .formatted(name, mean, std, value));
        }
        return standardized;
    }
}

package org.fleetgrad.datasets.imbalance;

import java.util.Arrays;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.LabelledTexts;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.StoredRows;
import org.fleetgrad.datasets.TableSamples;

/** How many samples there are of each class. */
public final class ClassCounts {

    /** Rows of a stored table that are in memory at a time. */
    private static final int ROWS_AT_A_TIME = 1 << 14;

    private ClassCounts() {}

    /**
     * Counts samples.
     *
     * @param classes number of classes
     * @throws IllegalArgumentException if the samples have no classes
     */
    public static long[] of(Samples samples, int classes) {
        long[] counts = new long[classes];
        if (samples instanceof StoredRows rows) {
            for (int from = 0; from < rows.count(); from += ROWS_AT_A_TIME) {
                add(rows.slice(from, Math.min(rows.count(), from + ROWS_AT_A_TIME)), counts);
            }
        } else {
            add(samples, counts);
        }
        return counts;
    }

    private static void add(Samples samples, long[] counts) {
        for (int label : labels(samples)) {
            counts[label]++;
        }
    }

    /**
     * Returns the number of each sample's class.
     *
     * @throws IllegalArgumentException if the samples have no classes, or are not in memory
     */
    public static int[] labels(Samples samples) {
        if (samples instanceof TableSamples rows) {
            int[] labels = new int[rows.count()];
            Arrays.setAll(labels, i -> (int) rows.targets()[i]);
            return labels;
        }
        return stored(samples).toArray();
    }

    private static Labels stored(Samples samples) {
        if (samples instanceof ImageSamples images) {
            return images.labels();
        }
        if (samples instanceof LabelledTexts texts) {
            return texts.labels();
        }
        throw new IllegalArgumentException(
                "%s have no classes".formatted(samples.getClass().getSimpleName()));
    }
}

package org.fleetgrad.runs.settings;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Robustness against bad workers.
 *
 * @param aggregation how the gradients of a synchronous step are aggregated
 * @param outliers    trimmed-mean and krum: number of bad workers; if it is absent, ps-service's default
 * @param largestNorm a gradient of a larger norm is rejected; 0 for no limit
 */
public record BadWorkers(Aggregation aggregation, OptionalInt outliers, double largestNorm) {

    /** How the gradients of a synchronous step are aggregated; the names are ps-service's. */
    public enum Aggregation {
        MEAN,
        MEDIAN,
        TRIMMED_MEAN,
        KRUM;

        /** Returns the rule as ps-service's setting and the command line have it. */
        public String setting() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Returns whether the rule has a parameter for the number of bad workers that it must tolerate. */
        public boolean countsOutliers() {
            return this == TRIMMED_MEAN || this == KRUM;
        }

        @Override
        public String toString() {
            return setting();
        }
    }

    /** Every gradient is trusted. */
    public static final BadWorkers NONE = new BadWorkers(Aggregation.MEAN, OptionalInt.empty(), 0);

    /** Adds ps-service's settings, as environment variables. */
    void addTo(Map<String, String> variables) {
        if (aggregation != Aggregation.MEAN) {
            variables.put("PS_AGGREGATION_RULE", aggregation.setting());
        }
        outliers.ifPresent(count -> variables.put("PS_AGGREGATION_OUTLIERS", Integer.toString(count)));
        if (largestNorm > 0) {
            variables.put("PS_MAXGRADIENTNORM", Double.toString(largestNorm));
        }
    }
}

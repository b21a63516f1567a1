package org.fleetgrad.runs.settings;

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

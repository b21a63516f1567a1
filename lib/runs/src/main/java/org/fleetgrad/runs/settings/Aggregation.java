package org.fleetgrad.runs.settings;

import java.util.Locale;

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

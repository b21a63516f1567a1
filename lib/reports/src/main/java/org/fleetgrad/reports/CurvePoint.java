package org.fleetgrad.reports;

import org.jspecify.annotations.Nullable;

/**
 * The state of a run at one time.
 *
 * @param seconds  since the first activation
 * @param version  newest version
 * @param samples  trained so far
 * @param loss     smoothed training loss
 * @param accuracy newest held-out accuracy
 */
public record CurvePoint(
        double seconds,
        long version,
        long samples,
        @Nullable Double loss,
        @Nullable Double accuracy) {}

package org.fleetgrad.ps.history;

import java.util.Map;
import java.util.Optional;

/**
 * The figures of a run at one moment. Counts are totals since the run began, so that what happened between two points
 * follows from their difference, however many points between them were merged.
 *
 * @param timeMs       milliseconds since 1970
 * @param isFirst      whether the server started or restarted before this point: nothing is known of the time since the
 *     previous point
 * @param version      steps applied
 * @param samples      training samples in applied gradients
 * @param loss         smoothed training loss; empty before the first step
 * @param gradients    gradients taken
 * @param stalenessSum sum of their staleness, in steps
 * @param workers      workers with a running lease
 * @param pushes       pushes by outcome
 */
public record HistoryPoint(
        long timeMs,
        boolean isFirst,
        long version,
        long samples,
        Optional<Double> loss,
        long gradients,
        long stalenessSum,
        int workers,
        Map<String, Long> pushes) {

    /** Checks that JSON can represent every number. */
    public HistoryPoint {
        loss.filter(value -> !Double.isFinite(value)).ifPresent(value -> {
            throw new IllegalArgumentException("the loss of a point must be a finite number; it is " + value);
        });
        pushes = Map.copyOf(pushes);
    }

    /** Returns whether both have the same figures, regardless of time. */
    boolean hasSameFigures(HistoryPoint other) {
        return version == other.version
                && samples == other.samples
                && workers == other.workers
                && pushes.equals(other.pushes);
    }

    /** Returns the point that replaces this one and the later one. */
    HistoryPoint mergedWith(HistoryPoint later) {
        return isFirst && !later.isFirst ? later.with(later.timeMs, true) : later;
    }

    /** Returns the same figures at another time. */
    HistoryPoint with(long otherTimeMs, boolean isOtherFirst) {
        return new HistoryPoint(
                otherTimeMs, isOtherFirst, version, samples, loss, gradients, stalenessSum, workers, pushes);
    }
}

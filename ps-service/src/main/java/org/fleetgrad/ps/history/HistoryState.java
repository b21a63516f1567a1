package org.fleetgrad.ps.history;

import java.util.List;

/**
 * The time series of a run, as it is read and persisted. Immutable; each list is in the order of time.
 *
 * @param points      the figures
 * @param evaluations the held-out results
 * @param checkpoints the newest checkpoints
 */
public record HistoryState(
        List<HistoryPoint> points, List<EvaluationPoint> evaluations, List<CheckpointPoint> checkpoints) {

    /** Nothing yet. */
    public static final HistoryState EMPTY = new HistoryState(List.of(), List.of(), List.of());

    public HistoryState {
        points = List.copyOf(points);
        evaluations = List.copyOf(evaluations);
        checkpoints = List.copyOf(checkpoints);
    }
}

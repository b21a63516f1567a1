package org.fleetgrad.ps.work;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.fleetgrad.protocol.work.WorkPlan;

/**
 * The progress of a run's work, as it is persisted. A piece is one shard in one epoch; it has the number
 * {@code epoch * shards + shard}, and pieces are assigned in the order of their numbers.
 *
 * @param plan    all of the work
 * @param next    the first piece that was never assigned
 * @param samples samples done, over all pieces
 * @param open    pieces in progress, with the number of samples done of each
 * @param holders the piece that each worker holds
 */
public record WorkState(
        WorkPlan plan, long next, long samples, NavigableMap<Long, Long> open, Map<String, Long> holders) {

    public WorkState {
        open = new TreeMap<>(open);
        holders = Map.copyOf(holders);
    }

    /** Returns the work before the first assignment. */
    static WorkState of(WorkPlan plan) {
        return new WorkState(plan, 0, 0, new TreeMap<>(), Map.of());
    }

    /** Returns the same work before the first assignment. */
    public WorkState anew() {
        return of(plan);
    }

    /** Returns the same work with no piece held by a worker. */
    public WorkState unheld() {
        return new WorkState(plan, next, samples, open, Map.of());
    }
}

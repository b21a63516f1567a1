package org.fleetgrad.ps.work;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.fleetgrad.protocol.work.WorkPlan;

/**
 * How far a run's work is, as it is kept. A piece is one shard in one epoch; it has the number
 * {@code epoch * shards + shard}, and pieces begin in the order of their numbers.
 *
 * @param plan    all of the work
 * @param next    the first piece that nobody has had yet
 * @param samples samples that are done, over all pieces
 * @param open    pieces that are begun and not done, with the samples that are done of each
 * @param holders the piece that a worker has
 */
public record WorkState(
        WorkPlan plan, long next, long samples, NavigableMap<Long, Long> open, Map<String, Long> holders) {

    /** Copies the maps. */
    public WorkState {
        open = new TreeMap<>(open);
        holders = Map.copyOf(holders);
    }

    /** The work before anybody has begun. */
    static WorkState of(WorkPlan plan) {
        return new WorkState(plan, 0, 0, new TreeMap<>(), Map.of());
    }

    /** Returns the same work before anybody has begun. */
    public WorkState anew() {
        return of(plan);
    }

    /** Returns the same work, of which no worker has any. */
    public WorkState unheld() {
        return new WorkState(plan, next, samples, open, Map.of());
    }
}

package org.fleetgrad.ps.progress;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How many iterations each worker has finished, for stale synchronous parallel training.
 *
 * <p>A worker that joins starts at the clock of the slowest: it is neither ahead nor does it delay the others. The applier
 * writes it, any thread may read it.
 */
public final class WorkerClocks {

    private final Map<String, Long> clocks = new HashMap<>();

    /** Starts the clock of a worker that joins, at the slowest. */
    public synchronized void join(String worker) {
        clocks.computeIfAbsent(worker, unknown -> slowest(clocks.keySet()));
    }

    /** Drops the clock of a worker that left. */
    public synchronized void leave(String worker) {
        clocks.remove(worker);
    }

    /** Counts an iteration of a worker. */
    public synchronized void tick(String worker) {
        // If its lease ended while its push was taken, the worker is no member, and must not become one here.
        clocks.computeIfPresent(worker, (same, iterations) -> iterations + 1);
    }

    /** Returns how many iterations a worker is ahead of the slowest of {@code live}; 0 if the worker is not known. */
    public synchronized long lead(String worker, Set<String> live) {
        Long own = clocks.get(worker);
        return own == null ? 0 : own - Math.min(own, slowest(live));
    }

    private long slowest(Set<String> among) {
        return among.stream()
                .filter(clocks::containsKey)
                .mapToLong(clocks::get)
                .min()
                .orElse(0);
    }

    /** Returns a copy of the clocks. */
    public synchronized Map<String, Long> state() {
        return Map.copyOf(clocks);
    }

    /** Restores the clocks of an earlier process of the run. */
    public synchronized void restore(Map<String, Long> state) {
        clocks.clear();
        clocks.putAll(state);
    }
}

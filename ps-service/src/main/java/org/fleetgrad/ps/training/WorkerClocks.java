package org.fleetgrad.ps.training;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How many iterations each worker has finished, for stale synchronous parallel training.
 *
 * <p>A worker that joins begins where the slowest is: it can neither be ahead nor hold the others up. Written to by the
 * applier, read by any thread.
 */
final class WorkerClocks {

    private final Map<String, Long> clocks = new HashMap<>();

    synchronized void join(String worker) {
        clocks.computeIfAbsent(worker, unknown -> slowest(clocks.keySet()));
    }

    synchronized void leave(String worker) {
        clocks.remove(worker);
    }

    synchronized void tick(String worker) {
        // One whose lease ended while its push was taken is no member, and must not become one here.
        clocks.computeIfPresent(worker, (same, iterations) -> iterations + 1);
    }

    /** Returns how many iterations a worker is ahead of the slowest of {@code live}; 0 for one that is not known. */
    synchronized long lead(String worker, Set<String> live) {
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

    synchronized Map<String, Long> state() {
        return Map.copyOf(clocks);
    }

    synchronized void restore(Map<String, Long> state) {
        clocks.clear();
        clocks.putAll(state);
    }
}

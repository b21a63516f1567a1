package org.fleetgrad.ps.run;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.work.WorkQueue;

/**
 * The workers that the run knows, as its journal has them, and how many iterations each has finished. They follow the
 * leases: a worker joins with its lease and leaves after its lease has ended. A worker that joins starts at the clock of
 * the slowest: it is neither ahead nor does it delay the others. Each change is journaled before it is made. Confined to
 * the applier, except for {@link #lead}.
 */
final class Members {

    private final Leases leases;
    private final TrainingStore store;
    private final TrainingStatistics statistics;
    private final WorkQueue work;
    private final Map<String, Worker> known = new HashMap<>();
    /** Finished iterations by worker, for stale synchronous parallel training. */
    private final Map<String, Long> clocks = new HashMap<>();

    Members(Leases leases, TrainingStore store, TrainingStatistics statistics, WorkQueue work) {
        this.leases = leases;
        this.store = store;
        this.statistics = statistics;
        this.work = work;
    }

    /** Removes the workers whose lease has ended, and admits those that registered. */
    void followLeases() throws IOException {
        removeExpired();
        for (Worker worker : leases.live()) {
            if (isChanged(worker)) {
                admit(worker);
            }
        }
    }

    /** Admits a worker as it registered, unless it is already known with the same data. */
    void admit(String worker) throws IOException {
        Optional<Worker> changed = leases.find(worker).filter(this::isChanged);
        if (changed.isPresent()) {
            // It starts at the clock of the slowest worker, and workers that have left must not count there.
            removeExpired();
            admit(changed.get());
        }
    }

    private boolean isChanged(Worker registered) {
        return !registered.isSameAs(known.get(registered.id()));
    }

    private void admit(Worker worker) throws IOException {
        store.append(new JournalEntry.Joined(worker));
        joined(worker);
    }

    private void removeExpired() throws IOException {
        for (String worker : List.copyOf(known.keySet())) {
            if (!leases.isLive(worker)) {
                store.append(new JournalEntry.Left(worker));
                left(worker);
            }
        }
    }

    /** Adds a worker; its join is in the journal already. */
    synchronized void joined(Worker worker) {
        known.put(worker.id(), worker);
        clocks.computeIfAbsent(worker.id(), unknown -> slowest(clocks.keySet()));
    }

    /** Removes a worker; its leave is in the journal already. */
    synchronized void left(String worker) {
        known.remove(worker);
        clocks.remove(worker);
        statistics.left(worker);
        work.release(worker);
    }

    boolean has(String worker) {
        return known.containsKey(worker);
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    List<Worker> all() {
        return List.copyOf(known.values());
    }

    /** Counts an iteration of a worker. */
    synchronized void tick(String worker) {
        // If its lease ended while its push was taken, the worker is no member, and must not become one here.
        clocks.computeIfPresent(worker, (same, iterations) -> iterations + 1);
    }

    /** Returns how many iterations a worker is ahead of the slowest live one; 0 if it is no member. */
    long lead(String worker) {
        // Before the lock: many readers ask at once, and the applier needs it at each gradient.
        Set<String> live = leases.liveIds();
        synchronized (this) {
            Long own = clocks.get(worker);
            return own == null ? 0 : own - Math.min(own, slowest(live));
        }
    }

    private long slowest(Set<String> among) {
        return among.stream()
                .filter(clocks::containsKey)
                .mapToLong(clocks::get)
                .min()
                .orElse(0);
    }

    Map<String, Long> clocks() {
        return Collections.unmodifiableMap(new TreeMap<>(clocks));
    }

    synchronized void restore(List<Worker> members, Map<String, Long> iterations) {
        known.clear();
        members.forEach(worker -> known.put(worker.id(), worker));
        clocks.clear();
        clocks.putAll(iterations);
    }
}

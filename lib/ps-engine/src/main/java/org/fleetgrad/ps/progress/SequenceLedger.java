package org.fleetgrad.ps.progress;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.fleetgrad.ps.outcome.PushOutcome;

/**
 * Remembers how each worker's recent pushes were answered, so that a repeated push counts once.
 *
 * <p>It remembers the {@value #WINDOW} highest sequence numbers of a worker. A worker's numbers outlive its lease, so that a
 * push repeated after a new registration is still known. Past {@value #WORKERS} workers it evicts the least recently active
 * one, but never a member of the run, however long it was silent: its next push may be a retry. Confined to the applier,
 * except for {@link #highest}.
 */
public final class SequenceLedger {

    /** Number of remembered sequence numbers per worker. */
    public static final int WINDOW = 64;

    /** Number of remembered workers; a run has no more members than this. */
    public static final int WORKERS = 4096;

    /** In access order, the least recent first. */
    private final Map<String, NavigableMap<Long, PushOutcome>> outcomes = new LinkedHashMap<>(16, 0.75f, true);

    /** Returns the earlier outcome of this push, if it was taken before. */
    public synchronized Optional<PushOutcome> answered(String worker, long sequence) {
        return known(worker).map(known -> known.get(sequence));
    }

    /** Tells whether the number is below the window, so that a duplicate would not be noticed. */
    public synchronized boolean isForgotten(String worker, long sequence) {
        return known(worker)
                .filter(known -> known.size() == WINDOW && sequence < known.firstKey())
                .isPresent();
    }

    /**
     * Remembers the outcome of a push.
     *
     * @param isMember tells whether a worker is now a member of the run, and so must not be evicted
     */
    public synchronized void remember(String worker, long sequence, PushOutcome outcome, Predicate<String> isMember) {
        NavigableMap<Long, PushOutcome> known = outcomes.computeIfAbsent(worker, unknown -> new TreeMap<>());
        known.put(sequence, outcome);
        if (known.size() > WINDOW) {
            known.pollFirstEntry();
        }
        if (outcomes.size() > WORKERS) {
            forgetOne(worker, isMember);
        }
    }

    private void forgetOne(String newest, Predicate<String> isMember) {
        for (Iterator<String> workers = outcomes.keySet().iterator(); workers.hasNext(); ) {
            String worker = workers.next();
            if (!worker.equals(newest) && !isMember.test(worker)) {
                workers.remove();
                return;
            }
        }
    }

    /** Returns the highest number remembered for a worker, or 0 if there is none. */
    public synchronized long highest(String worker) {
        return known(worker).map(NavigableMap::lastKey).orElse(0L);
    }

    /** A lookup makes no entry: the refused push of an untrusted client must not evict a worker. */
    private Optional<NavigableMap<Long, PushOutcome>> known(String worker) {
        return Optional.ofNullable(outcomes.get(worker));
    }

    /** Returns a copy of everything that is remembered. */
    public synchronized Map<String, NavigableMap<Long, PushOutcome>> state() {
        Map<String, NavigableMap<Long, PushOutcome>> copy = new LinkedHashMap<>();
        outcomes.forEach((worker, known) -> copy.put(worker, new TreeMap<>(known)));
        return copy;
    }

    /** Restores what another ledger remembered; the most recently active worker comes last. */
    public synchronized void restore(Map<String, NavigableMap<Long, PushOutcome>> state) {
        outcomes.clear();
        state.forEach((worker, known) -> outcomes.put(worker, new TreeMap<>(known)));
    }
}

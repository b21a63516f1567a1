package org.fleetgrad.ps.training;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Remembers what each worker's recent pushes were answered, so that a repeated push counts once.
 *
 * <p>Bounded both ways: the {@value #WINDOW} highest sequence numbers of a worker, and the {@value #WORKERS} workers
 * heard of last. A worker's numbers outlive its lease, so that a push repeated after a new registration is still known.
 * Belongs to the applier, but for {@link #highest}.
 */
final class SequenceLedger {

    static final int WINDOW = 64;
    static final int WORKERS = 4096;

    private final Map<String, NavigableMap<Long, PushOutcome>> outcomes = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, NavigableMap<Long, PushOutcome>> eldest) {
            return size() > WORKERS;
        }
    };

    /** Returns what the push was answered before, if it was taken before. */
    synchronized Optional<PushOutcome> answered(String worker, long sequence) {
        return known(worker).map(known -> known.get(sequence));
    }

    /** Tells whether the number is too low for the window to know if it was had before. */
    synchronized boolean isForgotten(String worker, long sequence) {
        return known(worker)
                .filter(known -> known.size() == WINDOW && sequence < known.firstKey())
                .isPresent();
    }

    /** Remembers what a push was answered. */
    synchronized void remember(String worker, long sequence, PushOutcome outcome) {
        NavigableMap<Long, PushOutcome> known = outcomes.computeIfAbsent(worker, unknown -> new TreeMap<>());
        known.put(sequence, outcome);
        if (known.size() > WINDOW) {
            known.pollFirstEntry();
        }
    }

    /** Returns the highest number remembered of a worker, 0 for none. */
    synchronized long highest(String worker) {
        return known(worker).map(NavigableMap::lastKey).orElse(0L);
    }

    /** Only a push that is taken makes a place: a stranger that merely asks must not push a worker out. */
    private Optional<NavigableMap<Long, PushOutcome>> known(String worker) {
        return Optional.ofNullable(outcomes.get(worker));
    }

    /** Returns a copy of everything that is remembered. */
    synchronized Map<String, NavigableMap<Long, PushOutcome>> state() {
        Map<String, NavigableMap<Long, PushOutcome>> copy = new LinkedHashMap<>();
        outcomes.forEach((worker, known) -> copy.put(worker, new TreeMap<>(known)));
        return copy;
    }

    /** Takes over what another ledger remembered; the worker heard of last stands last. */
    synchronized void restore(Map<String, NavigableMap<Long, PushOutcome>> state) {
        outcomes.clear();
        state.forEach((worker, known) -> outcomes.put(worker, new TreeMap<>(known)));
    }
}

package org.fleetgrad.ps.progress;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.ps.outcome.PushOutcome;

/**
 * Remembers how each worker's recent pushes were answered, so that a repeated push counts once.
 *
 * <p>It remembers the {@value #WINDOW} highest sequence numbers of a worker, and the {@value #WORKERS} workers that were
 * active last. A worker's numbers outlive its lease, so that a push repeated after a new registration is still known.
 * Belongs to the applier, except for {@link #highest}.
 */
public final class SequenceLedger {

    /** How many sequence numbers of a worker are remembered. */
    public static final int WINDOW = 64;

    static final int WORKERS = 4096;

    private final Map<String, NavigableMap<Long, PushOutcome>> outcomes = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, NavigableMap<Long, PushOutcome>> eldest) {
            return size() > WORKERS;
        }
    };

    /** Returns the earlier outcome of this push, if it was taken before. */
    public synchronized Optional<PushOutcome> answered(String worker, long sequence) {
        return known(worker).map(known -> known.get(sequence));
    }

    /** Tells whether the number is below the window, so that a repetition would not be noticed. */
    public synchronized boolean isForgotten(String worker, long sequence) {
        return known(worker)
                .filter(known -> known.size() == WINDOW && sequence < known.firstKey())
                .isPresent();
    }

    /** Remembers the outcome of a push. */
    public synchronized void remember(String worker, long sequence, PushOutcome outcome) {
        NavigableMap<Long, PushOutcome> known = outcomes.computeIfAbsent(worker, unknown -> new TreeMap<>());
        known.put(sequence, outcome);
        if (known.size() > WINDOW) {
            known.pollFirstEntry();
        }
    }

    /** Returns the highest number remembered of a worker, or 0 if there is none. */
    public synchronized long highest(String worker) {
        return known(worker).map(NavigableMap::lastKey).orElse(0L);
    }

    /** Looking up makes no entry: a stranger's push, which is refused, must not displace a worker. */
    private Optional<NavigableMap<Long, PushOutcome>> known(String worker) {
        return Optional.ofNullable(outcomes.get(worker));
    }

    /** Returns a copy of everything that is remembered. */
    public synchronized Map<String, NavigableMap<Long, PushOutcome>> state() {
        Map<String, NavigableMap<Long, PushOutcome>> copy = new LinkedHashMap<>();
        outcomes.forEach((worker, known) -> copy.put(worker, new TreeMap<>(known)));
        return copy;
    }

    /** Takes over what another ledger remembered; the worker that was active last comes last. */
    public synchronized void restore(Map<String, NavigableMap<Long, PushOutcome>> state) {
        outcomes.clear();
        state.forEach((worker, known) -> outcomes.put(worker, new TreeMap<>(known)));
    }
}

package org.fleetgrad.ps.evaluation;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The evaluation of the newest evaluated version, and the best one of its generation. Thread-safe. */
public final class Evaluations {

    private @Nullable HeldOutResult newest;
    private @Nullable HeldOutResult best;

    /** Adds a result. One of an older version than the newest evaluated can only become the best. */
    public synchronized void add(HeldOutResult evaluation) {
        boolean continues = newest != null
                && newest.version().generation().equals(evaluation.version().generation());
        if (!continues) {
            newest = evaluation;
            best = evaluation;
            return;
        }
        if (newest != null && evaluation.version().version() >= newest.version().version()) {
            newest = evaluation;
        }
        if (best == null || evaluation.accuracy() > best.accuracy()) {
            best = evaluation;
        }
    }

    /** Drops the results of generations other than {@code generation}, which has just begun. */
    public synchronized void retainOnly(String generation) {
        if (newest != null && !newest.version().generation().equals(generation)) {
            newest = null;
            best = null;
        }
    }

    /** Returns the evaluation of the newest evaluated version. */
    public synchronized Optional<HeldOutResult> newest() {
        return Optional.ofNullable(newest);
    }

    /** Returns the evaluation with the highest accuracy. */
    public synchronized Optional<HeldOutResult> best() {
        return Optional.ofNullable(best);
    }
}

package org.fleetgrad.evaluator.outcome;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The evaluations so far, and the best of them. Confined to one thread. */
public final class Outcomes {

    private final List<EvaluationOutcome> all = new ArrayList<>();
    private @Nullable EvaluationOutcome best;

    /** Adds an evaluation; returns whether it is the best so far. Of equal ones the first stays the best. */
    public boolean add(EvaluationOutcome outcome) {
        all.add(outcome);
        if (best == null || outcome.isBetterThan(best)) {
            best = outcome;
            return true;
        }
        return false;
    }

    /** Returns all, in their order. */
    public List<EvaluationOutcome> all() {
        return List.copyOf(all);
    }

    /** Returns the best; empty before the first. */
    public Optional<EvaluationOutcome> best() {
        return Optional.ofNullable(best);
    }
}

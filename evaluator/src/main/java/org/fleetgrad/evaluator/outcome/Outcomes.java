package org.fleetgrad.evaluator.outcome;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.serving.evaluation.Evaluation;
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

    /**
     * The evaluation of a version.
     *
     * @param name       where the version is from; empty for a server's
     * @param evaluation the result
     */
    public record EvaluationOutcome(String name, Evaluation evaluation) {

        double seconds() {
            return evaluation.duration().toMillis() / 1000.0;
        }

        /** Returns whether this is better than another: the larger accuracy is better; if they are equal, the smaller loss. */
        public boolean isBetterThan(EvaluationOutcome other) {
            double ownAccuracy = evaluation.accuracy();
            double otherAccuracy = other.evaluation().accuracy();
            return ownAccuracy > otherAccuracy
                    || (ownAccuracy == otherAccuracy
                            && evaluation.loss() < other.evaluation().loss());
        }
    }
}

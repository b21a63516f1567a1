package org.fleetgrad.evaluator.outcome;

import org.fleetgrad.serving.evaluation.Evaluation;

/**
 * The evaluation of a version.
 *
 * @param name       where the version is from; empty for a server's
 * @param evaluation the result
 */
public record EvaluationOutcome(String name, Evaluation evaluation) {

    /** Returns whether this is better than another: the larger accuracy is better; if they are equal, the smaller loss. */
    public boolean isBetterThan(EvaluationOutcome other) {
        double mine = evaluation.accuracy();
        double theirs = other.evaluation().accuracy();
        return mine > theirs
                || (mine == theirs && evaluation.loss() < other.evaluation().loss());
    }
}

package org.fleetgrad.evaluator.outcome;

import org.fleetgrad.serving.evaluation.Evaluation;

/**
 * The evaluation of a version.
 *
 * @param name       where the version is from; empty for a server's
 * @param evaluation what was measured
 */
public record Outcome(String name, Evaluation evaluation) {

    /**
     * Tells whether this is better than another: by the share of right answers, where a larger one is better; if it is equal,
     * by the loss, where a smaller one is.
     */
    public boolean isBetterThan(Outcome other) {
        double mine = evaluation.accuracy();
        double theirs = other.evaluation().accuracy();
        return mine > theirs
                || (mine == theirs && evaluation.loss() < other.evaluation().loss());
    }
}

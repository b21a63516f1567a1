package org.fleetgrad.benchmarks.serving.places;

import java.util.List;

/**
 * The result of the experiment.
 *
 * @param figures one for each place, policy and number of clients
 * @param votes   how the workers of the ensemble voted; empty if it was not measured
 * @param newest  held-out accuracy of the newest version after each piece of the training of one worker
 */
public record Places(List<PlaceFigure> figures, List<VoteFigure> votes, List<Double> newest) {

    /** Copies the lists. */
    public Places {
        figures = List.copyOf(figures);
        votes = List.copyOf(votes);
        newest = List.copyOf(newest);
    }
}

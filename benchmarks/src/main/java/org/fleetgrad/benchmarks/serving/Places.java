package org.fleetgrad.benchmarks.serving;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * The result of the experiment.
 *
 * @param votes  how the workers of the ensemble voted; empty if it was not measured
 * @param newest held-out accuracy of the newest version after each piece of the training of one worker
 */
record Places(List<Figure> figures, List<Votes> votes, List<Double> newest) {

    /**
     * Training and answering together, with so many clients, each with one connection.
     *
     * @param policy         of a replica; else empty
     * @param alone          speed of the same piece of the same training, nobody asks
     * @param requests       requests, failed ones too
     * @param failed         requests that were told to retry, or failed in another way
     * @param accuracy       share of the answers that are right
     * @param versions       different versions that answered
     * @param isSameTraining whether the run ended with the same parameters, bit for bit, as the one that nobody asked
     */
    record Figure(
            String place,
            String policy,
            int clients,
            double samplesPerSecond,
            double alone,
            double answersPerSecond,
            double p50Ms,
            double p99Ms,
            long requests,
            long failed,
            double accuracy,
            int versions,
            boolean isSameTraining) {

        @JsonProperty
        public double kept() {
            return samplesPerSecond / alone;
        }
    }

    /** How often the workers of an ensemble disagreed, by the gap between the versions that voted. */
    record Votes(long gap, long images, long disagreed) {}
}

package org.fleetgrad.benchmarks.configurations;

import java.util.List;

/**
 * The result of one run of a configuration.
 *
 * @param configuration    its name
 * @param seed             of the run
 * @param failure          why it brought no figures; empty if it did
 * @param accuracy         on the held-out samples, from 0 to 1
 * @param samplesPerSecond of the training
 * @param bubble           share of the stages' time in which they did nothing; -1 if there are no stages
 * @param staleness        mean of each stage, in steps; empty if there are no stages
 */
record Trained(
        String configuration,
        int seed,
        String failure,
        double accuracy,
        double samplesPerSecond,
        double bubble,
        List<Double> staleness) {

    Trained {
        staleness = List.copyOf(staleness);
    }

    /** Returns a run that brought no figures. */
    static Trained failed(String configuration, int seed, String failure) {
        return new Trained(configuration, seed, failure, 0, 0, -1, List.of());
    }

    /** Returns whether the run brought figures. */
    boolean isWhole() {
        return failure.isEmpty();
    }
}

package org.fleetgrad.benchmarks.serving.places;

/**
 * Training and answering together, with so many clients.
 *
 * @param place            who answers
 * @param policy           of a replica; else empty
 * @param clients          clients, each with one connection
 * @param samplesPerSecond speed of the training
 * @param alone            speed of the same piece of the same training, nobody asks
 * @param answersPerSecond answers
 * @param p50Ms            half of the answers took no longer
 * @param p99Ms            99% took no longer
 * @param requests         requests, failed ones too
 * @param failed           requests that were told to retry, or failed in another way
 * @param accuracy         share of the answers that are right
 * @param versions         different versions that answered
 * @param isSameTraining   whether the run ended with the same parameters, bit for bit, as the one that nobody asked
 */
public record PlaceFigure(
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

    /** Returns the speed of the training as a share of its speed alone. */
    public double kept() {
        return samplesPerSecond / alone;
    }
}

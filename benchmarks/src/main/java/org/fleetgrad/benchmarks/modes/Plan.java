package org.fleetgrad.benchmarks.modes;

/**
 * What all cells have in common; results of one plan are of no use in another.
 *
 * @param epochs       passes over the dataset
 * @param shards       pieces of it, each one activation's work in an epoch
 * @param batchSize    samples of a batch
 * @param learningRate of SGD
 * @param momentum     of SGD
 * @param killShare    share of the activations that are killed, where any are
 * @param leaseMs      milliseconds until the server misses a worker that was killed
 * @param seed         of the initial parameters, the order of the samples and the kills
 * @param repeat       runs of each cell; medians are shown
 */
record Plan(
        int epochs,
        int shards,
        int batchSize,
        double learningRate,
        double momentum,
        double killShare,
        int leaseMs,
        int seed,
        int repeat) {

    static Plan of(int epochs, int seed, int repeat) {
        return new Plan(epochs, 20, 32, 0.01, 0.9, 0.3, 1000, seed, repeat);
    }
}

package org.fleetgrad.benchmarks.modes;

/**
 * The settings that all cells share; results of different plans cannot be compared.
 *
 * @param epochs       passes over the dataset
 * @param shards       number of pieces of the dataset; each is the work of one activation in an epoch
 * @param batchSize    samples of a batch
 * @param learningRate learning rate of SGD
 * @param momentum     momentum of SGD
 * @param killShare    share of the activations that are killed, in cells with kills
 * @param leaseMs      milliseconds until the lease of a killed worker expires
 * @param seed         seed of the initial parameters, the order of the samples and the kills
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

package org.fleetgrad.benchmarks.modes;

/**
 * The result of one run of a cell.
 *
 * @param cell           its name
 * @param repeat         number of the run, from 0
 * @param isDiverged     whether a loss or a gradient was not finite, or the accuracy is that of guessing
 * @param accuracy       of the final model, on the held-out samples
 * @param seconds        from the first activation to the last answer
 * @param samples        training samples in applied gradients, including those of killed activations
 * @param meanStaleness  of the applied gradients
 * @param worstStaleness of the applied gradients
 * @param applied        number of applied gradients
 * @param stale          number of gradients that were dropped as too old
 * @param lost           number of gradients lost with killed workers
 * @param activations    number of invocations, including killed ones
 * @param kills          number of killed activations
 */
record Measured(
        String cell,
        int repeat,
        boolean isDiverged,
        double accuracy,
        double seconds,
        long samples,
        double meanStaleness,
        long worstStaleness,
        long applied,
        long stale,
        long lost,
        int activations,
        int kills) {}

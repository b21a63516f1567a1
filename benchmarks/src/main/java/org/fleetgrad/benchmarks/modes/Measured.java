package org.fleetgrad.benchmarks.modes;

/**
 * What one run of a cell came to.
 *
 * @param cell           its name
 * @param repeat         which of its runs, from 0
 * @param isDiverged     whether it ended with a loss or a gradient that is not finite, or no better than by chance
 * @param accuracy       of the final model, on the held-out samples
 * @param seconds        from the first activation to the last answer
 * @param samples        training samples in applied gradients, those of killed activations included
 * @param meanStaleness  of the applied gradients
 * @param worstStaleness of the applied gradients
 * @param applied        gradients that are in the model
 * @param stale          gradients that came too late, and were dropped
 * @param lost           gradients that a killed worker was at
 * @param activations    invocations, the killed ones included
 * @param kills          killed ones
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

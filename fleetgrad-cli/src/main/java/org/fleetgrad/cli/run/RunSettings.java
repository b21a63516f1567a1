package org.fleetgrad.cli.run;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a user asked of a run.
 *
 * @param data           folder of IDX files; generated digits where it is absent
 * @param workers        how many workers
 * @param invoker        where they are
 * @param server         what the parameter server is to do
 * @param epochs         passes over the dataset at the most
 * @param targetAccuracy held-out accuracy to stop at
 * @param batchSize      samples of a batch
 * @param updateInterval batches whose mean gradient makes a push
 * @param learningRate   of SGD
 * @param momentum       of SGD
 * @param seed           of parameters, sample order and generated digits
 * @param trainSamples   generated training digits
 * @param testSamples    generated test digits
 * @param out            folder for what the run leaves
 * @param keep           whether to go on after the target until interrupted
 */
public record RunSettings(
        Optional<Path> data,
        int workers,
        InvokerSettings invoker,
        ServerSettings server,
        int epochs,
        OptionalDouble targetAccuracy,
        int batchSize,
        int updateInterval,
        double learningRate,
        double momentum,
        int seed,
        int trainSamples,
        int testSamples,
        Optional<Path> out,
        boolean keep) {

    private static final double TARGET = 0.98;
    private static final double TARGET_GENERATED = 0.97;

    /** Returns the accuracy to stop at: the user's, or the default of the dataset. */
    public double target() {
        return targetAccuracy.orElse(data.isPresent() ? TARGET : TARGET_GENERATED);
    }
}

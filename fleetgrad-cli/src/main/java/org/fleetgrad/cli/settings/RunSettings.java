package org.fleetgrad.cli.settings;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.cli.elastic.ElasticSettings;
import org.fleetgrad.cli.report.Prices;

/**
 * What a user asked of a run.
 *
 * @param data           folder of IDX files; generated digits where it is absent
 * @param workers        how many workers, or how many at the most
 * @param elastic        whether there are as many as pay
 * @param invoker        where they are
 * @param server         what the parameter server is to do
 * @param transfer       how gradients and parameters travel
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
 * @param prices         what the user pays for it
 * @param baseline       the same training on one machine, to hold the run against
 * @param store          bucket that workers fetch their shards from, {@code s3://bucket/prefix}; this machine hands them out where
 *     it is absent
 * @param keep           whether to go on after the target until interrupted
 */
public record RunSettings(
        Optional<Path> data,
        int workers,
        Optional<ElasticSettings> elastic,
        InvokerSettings invoker,
        ServerSettings server,
        TransferSettings transfer,
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
        Prices prices,
        BaselineSettings baseline,
        Optional<String> store,
        boolean keep) {

    private static final double TARGET = 0.98;
    private static final double TARGET_GENERATED = 0.97;

    /** Returns the accuracy to stop at: the user's, or the default of the dataset. */
    public double target() {
        return targetAccuracy.orElse(data.isPresent() ? TARGET : TARGET_GENERATED);
    }

    /** Returns how many workers the run begins with. */
    public int workersAtFirst() {
        return elastic.isPresent() ? 1 : workers;
    }

    /** Returns the shards that an activation with a deadline is to end with; 0 for as many as it has time for. */
    public int shardsAnActivation() {
        // One more or one less is a matter of a shard, not of a time limit.
        return elastic.isPresent() ? 1 : 0;
    }

    /** Returns the same training with one worker that is a process of this machine, in a folder of its own. */
    public RunSettings ofOneMachine(Path folder) {
        return new RunSettings(
                data,
                1,
                Optional.empty(),
                new InvokerSettings.Local(),
                server.ofOneWorker(),
                TransferSettings.PLAIN,
                epochs,
                targetAccuracy,
                batchSize,
                updateInterval,
                learningRate,
                momentum,
                seed,
                trainSamples,
                testSamples,
                Optional.of(folder),
                prices,
                new BaselineSettings.None(),
                Optional.empty(),
                false);
    }
}

package org.fleetgrad.runs.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.reports.Prices;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.elastic.ElasticSettings;

/**
 * The settings of a run.
 *
 * @param data           the dataset
 * @param network        what is trained, and on what
 * @param workers        number of workers; with {@code elastic} the largest number
 * @param elastic        how the number of workers changes; absent if it is fixed
 * @param invoker        where the workers are
 * @param server         settings of the parameter server
 * @param transfer       how gradients and parameters are encoded
 * @param epochs         largest number of passes over the dataset
 * @param target        held-out result to stop at; empty for the default of the dataset
 * @param batchSize      samples of a batch
 * @param updateInterval number of batches whose mean gradient is pushed
 * @param optimization   what a step does
 * @param maxSteps       steps to stop after; absent for no limit
 * @param until          where it pauses, with what it went on from; absent for no earlier end
 * @param patience       how long it goes on without a better held-out score; absent if that ends no run
 * @param seed           of parameters, sample order and generated digits
 * @param trainSamples   generated training digits
 * @param testSamples    generated test digits
 * @param out            folder for the model, the report and the logs
 * @param tracking       where the curves are written besides that folder
 * @param prices         what the user pays for it
 * @param baseline       the same training on one machine, for comparison
 * @param store          bucket from which workers fetch their shards, {@code s3://bucket/prefix}; if it is absent, this
 *     machine serves them
 * @param keep           whether to continue training after the target until interrupted
 * @param serving        where it serves predictions
 * @param startTimeout   after which a starting program that makes no progress is stuck
 */
public record RunSettings(
        DataSettings data,
        NetworkSettings network,
        int workers,
        Optional<ElasticSettings> elastic,
        InvokerSettings invoker,
        ServerSettings server,
        TransferSettings transfer,
        int epochs,
        Optional<RunTarget> target,
        int batchSize,
        int updateInterval,
        OptimizationSettings optimization,
        OptionalLong maxSteps,
        Optional<Until> until,
        Optional<PatienceSettings> patience,
        int seed,
        int trainSamples,
        int testSamples,
        Optional<Path> out,
        TrackingSettings tracking,
        Prices prices,
        BaselineSettings baseline,
        Optional<String> store,
        boolean keep,
        ServingSettings serving,
        Duration startTimeout) {

    private static final double TARGET = 0.98;
    private static final double TARGET_GENERATED = 0.97;

    /**
     * Returns the target: the user's, or the default of the dataset, which is none for a text, for numbers and for labels. A run that
     * says where it pauses has no default: whoever compares such runs wants all of them to come there.
     */
    public RunTarget targetFor(Task task) {
        return target.orElseGet(() -> !hasAccuracy(task) || until.isPresent()
                ? new RunTarget.None()
                : new RunTarget.Accuracy(data.isGenerated() ? TARGET_GENERATED : TARGET));
    }

    /** Returns the target in the unit of the score of its evaluations, an accuracy or a loss; empty if it is in another. */
    public OptionalDouble targetScoreFor(Task task) {
        return hasAccuracy(task) ? targetFor(task).accuracy() : targetFor(task).loss();
    }

    private static boolean hasAccuracy(Task task) {
        return !(task instanceof LanguageModel) && task.question() instanceof OneClass;
    }

    /** Returns the number of workers at the start. */
    public int workersAtFirst() {
        return elastic.isPresent() ? 1 : workers;
    }

    /** Returns how many shards an activation with a deadline may train on; 0 for no limit but the deadline. */
    public int shardsAnActivation() {
        // An elastic run adds and drops workers between two shards, not only when a time limit ends an activation.
        return elastic.isPresent() ? 1 : 0;
    }

    /** Returns the same run with other settings of a step. */
    public RunSettings with(OptimizationSettings other) {
        return new RunSettings(
                data,
                network,
                workers,
                elastic,
                invoker,
                server,
                transfer,
                epochs,
                target,
                batchSize,
                updateInterval,
                other,
                maxSteps,
                until,
                patience,
                seed,
                trainSamples,
                testSamples,
                out,
                tracking,
                prices,
                baseline,
                store,
                keep,
                serving,
                startTimeout);
    }

    /** Returns the same settings with another network. */
    public RunSettings with(NetworkSettings other) {
        return new RunSettings(
                data,
                other,
                workers,
                elastic,
                invoker,
                server,
                transfer,
                epochs,
                target,
                batchSize,
                updateInterval,
                optimization,
                maxSteps,
                until,
                patience,
                seed,
                trainSamples,
                testSamples,
                out,
                tracking,
                prices,
                baseline,
                store,
                keep,
                serving,
                startTimeout);
    }

    /** Returns the same training with one worker that is a process of this machine, in a folder of its own. */
    public RunSettings ofOneMachine(Path folder) {
        return new RunSettings(
                data,
                network,
                1,
                Optional.empty(),
                new InvokerSettings.Local(),
                server.ofOneWorker(),
                TransferSettings.PLAIN,
                epochs,
                target,
                batchSize,
                updateInterval,
                optimization,
                maxSteps,
                until,
                patience,
                seed,
                trainSamples,
                testSamples,
                Optional.of(folder),
                TrackingSettings.NONE,
                prices,
                new BaselineSettings.None(),
                Optional.empty(),
                false,
                ServingSettings.DEFAULT,
                startTimeout);
    }
}

package org.fleetgrad.serving.evaluation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToLongFunction;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Classifier;
import org.fleetgrad.serving.ServedNetwork;

/**
 * Measures how good a version is, over samples or over the tokens of a text, batch by batch, on an instance of the
 * network that is not used by others meanwhile.
 *
 * <p>Not thread-safe with respect to the classifier; the evaluator itself is stateless.
 */
public final class Evaluator {

    private final ToLongFunction<ServedNetwork> batchOf;
    private final Clock clock;

    private Evaluator(ToLongFunction<ServedNetwork> batchOf, Clock clock) {
        this.batchOf = batchOf;
        this.clock = clock;
    }

    /**
     * Makes an evaluator whose batches are as large as their memory allows.
     *
     * @param memoryBytes memory that a batch may take; a batch has at least one sample
     */
    public static Evaluator within(long memoryBytes, Clock clock) {
        return new Evaluator(network -> memoryBytes / network.sampleBytes(), clock);
    }

    /**
     * Makes an evaluator whose batches have {@code images} images, whatever memory they take; the last one has the remaining
     * ones.
     */
    public static Evaluator inBatchesOf(int images, Clock clock) {
        return new Evaluator(network -> images, clock);
    }

    /**
     * Evaluates a version: loads it into the classifier, and compares its answer for each sample with the target.
     *
     * @throws IllegalArgumentException if it does not fit the network, or if its loss is not finite
     */
    public Evaluation evaluate(
            ParameterVersion version,
            TensorSet parameters,
            ServedNetwork network,
            TestSet testSet,
            Classifier classifier) {
        Instant begin = clock.instant();
        TestSet.Reader reader = testSet.reader(parameters, network);
        classifier.load(parameters);
        Samples samples = testSet.samples();
        int batch = batch(network, samples);
        int predictions = testSet.schema().task().predictions();
        float[] inputs = new float[batch * network.inputSize()];
        int each = testSet.schema().task().targets() / predictions;
        float[] targets = new float[batch * predictions * each];
        Scores scores = Scores.of(network.task(), network.outputs(), testSet.targets(parameters, network));
        for (int from = 0; from < samples.count(); from += batch) {
            int count = Math.min(batch, samples.count() - from);
            for (int i = 0; i < count; i++) {
                reader.read(from + i, inputs, targets, i);
            }
            float[] logits = classifier.logits(inputs, count);
            for (int i = 0; i < count * predictions; i++) {
                if (predictions == 1 || targets[i] != Task.IGNORED_LABEL) {
                    scores.add(logits, i * network.outputs(), targets, i * each);
                }
            }
        }
        if (!Double.isFinite(scores.loss())) {
            throw new IllegalArgumentException(
                    "the loss over %d samples is %s: training has diverged".formatted(samples.count(), scores.loss()));
        }
        return new Evaluation(
                version,
                scores.accuracy(),
                scores.accuracyTop5(),
                scores.meanLoss(),
                testSet.textFigures(scores.loss()),
                scores.regression(),
                scores.binary(),
                scores.labels(),
                scores.details(),
                samples.count(),
                Duration.between(begin, clock.instant()));
    }

    private int batch(ServedNetwork network, Samples samples) {
        return (int) Math.max(1, Math.min(samples.count(), batchOf.applyAsLong(network)));
    }
}

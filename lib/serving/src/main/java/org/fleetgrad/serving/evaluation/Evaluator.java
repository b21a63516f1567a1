package org.fleetgrad.serving.evaluation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Classifier;
import org.fleetgrad.serving.ServedNetwork;

/**
 * Measures accuracy and loss of a version, over images or over the tokens of a text, batch by batch, on an instance of the
 * network that is not used by others meanwhile.
 *
 * <p>Not thread-safe with respect to the classifier; the evaluator itself is stateless.
 */
public final class Evaluator {

    private static final int TOP = 5;

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
     * Evaluates a version: loads it into the classifier, and compares its answer for each sample with the label.
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
        float[] targets = new float[batch * predictions];
        long counted = 0;
        long right = 0;
        long rightTop = 0;
        double loss = 0;
        for (int from = 0; from < samples.count(); from += batch) {
            int count = Math.min(batch, samples.count() - from);
            for (int i = 0; i < count; i++) {
                reader.read(from + i, inputs, targets, i);
            }
            float[] logits = classifier.logits(inputs, count);
            for (int i = 0; i < count * predictions; i++) {
                int label = (int) targets[i];
                if (label == Task.IGNORED_LABEL) {
                    continue;
                }
                Logits scores = new Logits(logits, i * network.outputs(), network.outputs());
                int rank = scores.rank(label);
                right += rank == 0 ? 1 : 0;
                rightTop += rank < TOP ? 1 : 0;
                loss += scores.crossEntropy(label);
                counted++;
            }
        }
        if (!Double.isFinite(loss)) {
            throw new IllegalArgumentException(
                    "the loss over %d samples is %s: training has diverged".formatted(samples.count(), loss));
        }
        return new Evaluation(
                version,
                (double) right / counted,
                network.outputs() > TOP ? Optional.of((double) rightTop / counted) : Optional.empty(),
                loss / counted,
                testSet.textFigures(loss),
                samples.count(),
                Duration.between(begin, clock.instant()));
    }

    private int batch(ServedNetwork network, Samples samples) {
        return (int) Math.max(1, Math.min(samples.count(), batchOf.applyAsLong(network)));
    }

    /**
     * The logits of one prediction, within those of a batch.
     *
     * @param values of the batch
     * @param from   place of the sample's first
     * @param count  number of the sample's
     */
    private record Logits(float[] values, int from, int count) {

        /**
         * Returns how many classes rank before a class: those with larger logits, and of equal logits those with smaller numbers.
         */
        int rank(int label) {
            float own = values[from + label];
            int before = 0;
            for (int i = 0; i < count; i++) {
                float other = values[from + i];
                before += other > own || (other == own && i < label) ? 1 : 0;
            }
            return before;
        }

        /** Computes -log softmax(logits)[label] = log(sum(exp(s - max))) - (s[label] - max), in float64. */
        double crossEntropy(int label) {
            double max = Double.NEGATIVE_INFINITY;
            for (int i = from; i < from + count; i++) {
                max = Math.max(max, values[i]);
            }
            double sum = 0;
            for (int i = from; i < from + count; i++) {
                sum += Math.exp(values[i] - max);
            }
            return Math.log(sum) - (values[from + label] - max);
        }
    }
}

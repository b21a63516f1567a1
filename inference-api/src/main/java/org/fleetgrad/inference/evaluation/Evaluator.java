package org.fleetgrad.inference.evaluation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.inference.model.Classifier;

/** Measures accuracy and loss of a version, batch by batch, on its own instance of the network. For one thread. */
final class Evaluator {

    private final TestSet testSet;
    private final int batch;
    private final Clock clock;

    Evaluator(TestSet testSet, int batch, Clock clock) {
        this.testSet = testSet;
        this.batch = batch;
        this.clock = clock;
    }

    Evaluation evaluate(Pulled pulled, Classifier classifier) {
        Instant begin = clock.instant();
        Normalization normalization = testSet.description()
                .overriddenBy(pulled.parameters().metadata())
                .normalization();
        classifier.load(pulled.parameters());
        Samples samples = testSet.samples();
        int right = 0;
        double loss = 0;
        for (int from = 0; from < samples.count(); from += batch) {
            int count = Math.min(batch, samples.count() - from);
            float[] images = new float[count * samples.imageBytes()];
            for (int i = 0; i < count; i++) {
                normalization.normalize(samples, from + i, images, i * samples.imageBytes());
            }
            float[] logits = classifier.logits(images, count);
            int classes = logits.length / count;
            for (int i = 0; i < count; i++) {
                float[] scores = Arrays.copyOfRange(logits, i * classes, (i + 1) * classes);
                int label = samples.label(from + i);
                right += argmax(scores) == label ? 1 : 0;
                loss += crossEntropy(scores, label);
            }
        }
        if (!Double.isFinite(loss)) {
            throw new IllegalArgumentException(
                    "the loss over %d samples is %s: training has diverged".formatted(samples.count(), loss));
        }
        return new Evaluation(
                pulled.version(),
                (double) right / samples.count(),
                loss / samples.count(),
                samples.count(),
                Duration.between(begin, clock.instant()));
    }

    private static int argmax(float[] scores) {
        int best = 0;
        for (int i = 1; i < scores.length; i++) {
            if (scores[i] > scores[best]) {
                best = i;
            }
        }
        return best;
    }

    /** -log softmax(scores)[label] = log(sum(exp(s - max))) - (s[label] - max). */
    private static double crossEntropy(float[] scores, int label) {
        double max = scores[argmax(scores)];
        double sum = 0;
        for (float score : scores) {
            sum += Math.exp(score - max);
        }
        return Math.log(sum) - (scores[label] - max);
    }
}

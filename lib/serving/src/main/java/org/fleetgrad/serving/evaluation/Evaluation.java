package org.fleetgrad.serving.evaluation;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;

/**
 * The result of evaluating a version on held-out samples.
 *
 * @param version      the evaluated version
 * @param accuracy     share of the predictions whose label has the largest logit: of the images, or of the tokens of a text
 * @param accuracyTop5 share of the predictions whose label is among the five largest logits; absent if the network has five
 *     outputs or fewer, since then it is always 1
 * @param loss         mean cross-entropy
 * @param isOfTokens   whether the predictions are the tokens of a text: then the loss says which of two versions is better
 * @param samples      number of samples
 * @param duration     time that it took
 */
public record Evaluation(
        ParameterVersion version,
        double accuracy,
        Optional<Double> accuracyTop5,
        double loss,
        boolean isOfTokens,
        long samples,
        Duration duration) {

    /** Returns exp(loss), the number of tokens that the network hesitates between; empty for images. */
    public Optional<Double> perplexity() {
        return isOfTokens ? Optional.of(Math.exp(loss)) : Optional.empty();
    }

    /**
     * Returns whether this is better than another: of images the larger accuracy is better, and if they are equal, the smaller
     * loss; of texts the smaller loss.
     */
    public boolean isBetterThan(Evaluation other) {
        boolean isByLoss = isOfTokens || accuracy == other.accuracy;
        return isByLoss ? loss < other.loss : accuracy > other.accuracy;
    }

    /** Returns the message that reports the result to the parameter server. */
    public PutAccuracyRequest report() {
        return new PutAccuracyRequest(
                version.generation(), version.version(), accuracy, accuracyTop5.orElse(null), loss, samples);
    }
}

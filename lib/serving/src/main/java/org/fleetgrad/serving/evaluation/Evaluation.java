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
 * @param samples      number of samples
 * @param duration     time that it took
 */
public record Evaluation(
        ParameterVersion version,
        double accuracy,
        Optional<Double> accuracyTop5,
        double loss,
        long samples,
        Duration duration) {

    /** Returns the message that reports the result to the parameter server. */
    public PutAccuracyRequest report() {
        return new PutAccuracyRequest(
                version.generation(), version.version(), accuracy, accuracyTop5.orElse(null), loss, samples);
    }
}

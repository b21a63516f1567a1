package org.fleetgrad.serving.evaluation;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.TextFigures;
import org.jspecify.annotations.Nullable;

/**
 * The result of evaluating a version on held-out samples.
 *
 * @param version      the evaluated version
 * @param accuracy     share of the predictions whose label has the largest logit: of the samples, or of the tokens of a text; absent
 *     where numbers or labels are predicted
 * @param accuracyTop5 share of the predictions whose label is among the five largest logits; absent if the network has five
 *     outputs or fewer, since then it is always 1
 * @param loss         mean cross-entropy, of labels also over the labels, or mean loss of the numbers
 * @param text         what it says of a text only; absent for other samples
 * @param regression   what it says of predicted numbers only
 * @param binary       what it says of the two classes of a table only
 * @param labels       what it says of several labels only
 * @param details      what is right and what is wrong
 * @param samples      number of samples
 * @param duration     time that it took
 */
public record Evaluation(
        ParameterVersion version,
        Optional<Double> accuracy,
        Optional<Double> accuracyTop5,
        double loss,
        Optional<TextFigures> text,
        Optional<RegressionFigures> regression,
        Optional<BinaryFigures> binary,
        Optional<LabelFigures> labels,
        EvaluationDetails details,
        long samples,
        Duration duration) {

    /** Returns what says whether this version is better than another. */
    public HeldOutScore score() {
        return accuracy.filter(share -> text.isEmpty())
                .<HeldOutScore>map(share -> new HeldOutScore.ByAccuracy(share, Optional.of(loss)))
                .orElseGet(() -> new HeldOutScore.ByLoss(loss));
    }

    /** Returns exp(loss), the number of tokens that the network hesitates between; empty for other samples than texts. */
    public Optional<Double> perplexity() {
        return text.map(figures -> Math.exp(loss));
    }

    /** Returns the loss in bits a character; empty for other samples than texts, and if their characters are not known. */
    public Optional<Double> bitsPerCharacter() {
        return text.flatMap(figures -> Optional.ofNullable(figures.bitsPerCharacter()));
    }

    /** Returns the same without its details, which are large. */
    public Evaluation withoutDetails() {
        return new Evaluation(
                version,
                accuracy,
                accuracyTop5,
                loss,
                text,
                regression,
                binary,
                labels,
                EvaluationDetails.NONE,
                samples,
                duration);
    }

    /** Returns the figures as JSON has them, without the details. */
    public HeldOutEvaluation figures() {
        return inJson(null);
    }

    /** Returns the figures and the details as JSON has them. */
    public HeldOutEvaluation inFull() {
        return inJson(details);
    }

    private HeldOutEvaluation inJson(@Nullable EvaluationDetails shown) {
        return new HeldOutEvaluation(
                version.generation(),
                version.version(),
                accuracy.orElse(null),
                accuracyTop5.orElse(null),
                loss,
                text.orElse(null),
                regression.orElse(null),
                binary.orElse(null),
                labels.orElse(null),
                samples,
                duration.toMillis(),
                shown);
    }

    /** Returns the message that reports the result to the parameter server. */
    public PutAccuracyRequest report() {
        return new PutAccuracyRequest(
                version.generation(),
                version.version(),
                accuracy.orElse(null),
                accuracyTop5.orElse(null),
                loss,
                text.orElse(null),
                regression.orElse(null),
                binary.orElse(null),
                labels.orElse(null),
                samples);
    }
}

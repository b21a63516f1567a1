package org.fleetgrad.runs.output;

import java.util.Optional;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.reports.RunTarget;
import org.jspecify.annotations.Nullable;

/** What an evaluation says of one version. */
public record HeldOutFigures(
        @Nullable Double accuracy,
        @Nullable Double accuracyTop5,
        @Nullable Double loss,
        @Nullable TextFigures text,
        @Nullable RegressionFigures regression,
        @Nullable BinaryFigures binary,
        @Nullable LabelFigures labels) {

    /** Takes those of the newest evaluation. */
    public static HeldOutFigures of(StatusReply status) {
        return new HeldOutFigures(
                status.accuracy(),
                status.accuracyTop5(),
                status.heldOutLoss(),
                status.text(),
                status.regression(),
                status.binary(),
                status.labels());
    }

    /** Takes a score, if nothing else is known. */
    public static HeldOutFigures of(HeldOutScore score) {
        return new HeldOutFigures(
                score.accuracy().orElse(null), null, score.loss().orElse(null), null, null, null, null);
    }

    /** Returns what says whether a version is better than another; empty before the first evaluation. */
    public Optional<HeldOutScore> score() {
        return HeldOutScore.of(accuracy, loss, text != null);
    }

    /** Returns exp(loss) of a text; null of other samples. */
    public @Nullable Double perplexity() {
        return text == null || loss == null ? null : (Double) Math.exp(loss);
    }

    /** Returns what a target may be compared with. */
    public RunTarget.HeldOut heldOut() {
        return new RunTarget.HeldOut(
                accuracy,
                loss,
                regression == null ? null : regression.r2(),
                labels == null ? null : (Double) labels.microF1());
    }
}

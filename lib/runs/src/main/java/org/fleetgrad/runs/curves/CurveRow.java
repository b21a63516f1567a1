package org.fleetgrad.runs.curves;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run at one time.
 *
 * @param time             of the poll
 * @param seconds          of training since this run's first activation
 * @param version          newest version
 * @param samples          training samples in applied gradients
 * @param loss             smoothed training loss; empty before the first gradient
 * @param samplesPerSecond over the last seconds
 * @param tokensPerSecond  likewise, of a text; empty for images
 * @param meanStaleness    of the applied gradients, in steps
 * @param workers          registered workers
 * @param heldOut          the newest evaluation; empty before the first, or if an earlier row has it
 */
record CurveRow(
        Instant time,
        double seconds,
        long version,
        long samples,
        OptionalDouble loss,
        double samplesPerSecond,
        OptionalDouble tokensPerSecond,
        double meanStaleness,
        int workers,
        Optional<HeldOut> heldOut) {

    /**
     * An evaluation on held-out samples.
     *
     * @param version          the evaluated version, which is the newest one or an earlier one
     * @param accuracy         share of the samples whose label is the most probable class; empty for a text
     * @param accuracyTop5     share of the samples whose label is among the five most probable classes, if it was reported;
     *     empty for a text
     * @param loss             mean loss, if it was reported
     * @param perplexity       exp(loss) of a text; empty for images
     * @param bitsPerCharacter loss of a text in bits a character, if it was reported
     * @param r2               coefficient of determination of predicted numbers; empty for others, and if all targets are equal
     * @param rmse             root of their mean squared error, in the units of the target
     * @param auc              area under the ROC curve of the two classes of a table; empty for others, and if all rows are of one class
     * @param f1               their F1
     */
    record HeldOut(
            long version,
            OptionalDouble accuracy,
            OptionalDouble accuracyTop5,
            OptionalDouble loss,
            OptionalDouble perplexity,
            OptionalDouble bitsPerCharacter,
            OptionalDouble r2,
            OptionalDouble rmse,
            OptionalDouble auc,
            OptionalDouble f1) {

        private static final OptionalDouble NONE = OptionalDouble.empty();

        static HeldOut ofClasses(
                long version,
                double accuracy,
                OptionalDouble accuracyTop5,
                OptionalDouble loss,
                @Nullable BinaryFigures figures) {
            return new HeldOut(
                    version,
                    OptionalDouble.of(accuracy),
                    accuracyTop5,
                    loss,
                    NONE,
                    NONE,
                    NONE,
                    NONE,
                    figures == null ? NONE : optional(figures.auc()),
                    figures == null ? NONE : OptionalDouble.of(figures.f1()));
        }

        static HeldOut ofText(long version, double loss, OptionalDouble bitsPerCharacter) {
            return new HeldOut(
                    version,
                    NONE,
                    NONE,
                    OptionalDouble.of(loss),
                    OptionalDouble.of(Math.exp(loss)),
                    bitsPerCharacter,
                    NONE,
                    NONE,
                    NONE,
                    NONE);
        }

        static HeldOut ofNumbers(long version, OptionalDouble loss, RegressionFigures figures) {
            return new HeldOut(
                    version,
                    NONE,
                    NONE,
                    loss,
                    NONE,
                    NONE,
                    optional(figures.r2()),
                    OptionalDouble.of(figures.rmse()),
                    NONE,
                    NONE);
        }
    }

    static CurveRow of(
            StatusReply status, Instant time, double seconds, double samplesPerSecond, OptionalDouble tokensPerSecond) {
        return new CurveRow(
                time,
                seconds,
                status.version(),
                status.samples(),
                optional(status.loss()),
                samplesPerSecond,
                tokensPerSecond,
                status.meanStaleness(),
                status.workers().size(),
                heldOut(status));
    }

    private static Optional<HeldOut> heldOut(StatusReply status) {
        Double accuracy = status.accuracy();
        Long version = status.accuracyVersion();
        Double loss = status.heldOutLoss();
        RegressionFigures numbers = status.regression();
        if (version != null && numbers != null) {
            return Optional.of(HeldOut.ofNumbers(version, optional(loss), numbers));
        }
        if (accuracy == null || version == null) {
            return Optional.empty();
        }
        return Optional.of(
                status.text() != null && loss != null
                        ? HeldOut.ofText(version, loss, optional(status.bitsPerCharacter()))
                        : HeldOut.ofClasses(
                                version, accuracy, optional(status.accuracyTop5()), optional(loss), status.binary()));
    }

    private static OptionalDouble optional(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Returns the row without the evaluation, which an earlier row has. */
    CurveRow withoutHeldOut() {
        return new CurveRow(
                time,
                seconds,
                version,
                samples,
                loss,
                samplesPerSecond,
                tokensPerSecond,
                meanStaleness,
                workers,
                Optional.empty());
    }
}

package org.fleetgrad.runs.curves;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.LabelFigures;
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
     * @param numbers          figures of predicted numbers; empty for others
     * @param classes          figures of the two classes of a table; empty for others
     * @param labels           figures of several labels; empty for others
     */
    record HeldOut(
            long version,
            OptionalDouble accuracy,
            OptionalDouble accuracyTop5,
            OptionalDouble loss,
            OptionalDouble perplexity,
            OptionalDouble bitsPerCharacter,
            Optional<RegressionFigures> numbers,
            Optional<BinaryFigures> classes,
            Optional<LabelFigures> labels) {

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
                    Optional.empty(),
                    Optional.ofNullable(figures),
                    Optional.empty());
        }

        static HeldOut ofText(long version, double loss, OptionalDouble bitsPerCharacter) {
            return new HeldOut(
                    version,
                    NONE,
                    NONE,
                    OptionalDouble.of(loss),
                    OptionalDouble.of(Math.exp(loss)),
                    bitsPerCharacter,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        static HeldOut ofNumbers(long version, OptionalDouble loss, RegressionFigures figures) {
            return new HeldOut(
                    version, NONE, NONE, loss, NONE, NONE, Optional.of(figures), Optional.empty(), Optional.empty());
        }

        static HeldOut ofLabels(long version, OptionalDouble loss, LabelFigures figures) {
            return new HeldOut(
                    version, NONE, NONE, loss, NONE, NONE, Optional.empty(), Optional.empty(), Optional.of(figures));
        }

        /** Returns the coefficient of determination; empty without numbers, and if all targets are equal. */
        OptionalDouble r2() {
            return numbers.isPresent() ? optional(numbers.get().r2()) : NONE;
        }

        /** Returns the root of the mean squared error, in the units of the target; empty without numbers. */
        OptionalDouble rmse() {
            return numbers.isPresent() ? OptionalDouble.of(numbers.get().rmse()) : NONE;
        }

        /** Returns the micro F1; empty without labels. */
        OptionalDouble microF1() {
            return labels.isPresent() ? OptionalDouble.of(labels.get().microF1()) : NONE;
        }

        /** Returns the macro F1; empty without labels. */
        OptionalDouble macroF1() {
            return labels.isPresent() ? OptionalDouble.of(labels.get().macroF1()) : NONE;
        }

        /** Returns the area under the ROC curve; empty without two classes, and if all rows are of one. */
        OptionalDouble auc() {
            return classes.isPresent() ? optional(classes.get().auc()) : NONE;
        }

        /** Returns F1; empty without two classes. */
        OptionalDouble f1() {
            return classes.isPresent() ? OptionalDouble.of(classes.get().f1()) : NONE;
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
        LabelFigures labels = status.labels();
        if (version != null && labels != null) {
            return Optional.of(HeldOut.ofLabels(version, optional(loss), labels));
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

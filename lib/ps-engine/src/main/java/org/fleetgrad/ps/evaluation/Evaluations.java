package org.fleetgrad.ps.evaluation;

import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.protocol.messages.TextFigures;
import org.jspecify.annotations.Nullable;

/** The evaluation of the newest evaluated version, and the best one of its generation. Thread-safe. */
public final class Evaluations {

    private @Nullable HeldOutResult newest;
    private @Nullable HeldOutResult best;

    /** Adds a result. One of an older version than the newest evaluated can only become the best. */
    public synchronized void add(HeldOutResult evaluation) {
        boolean continues = newest != null
                && newest.version().generation().equals(evaluation.version().generation());
        if (!continues) {
            newest = evaluation;
            best = evaluation;
            return;
        }
        if (newest != null && evaluation.version().version() >= newest.version().version()) {
            newest = evaluation;
        }
        if (best == null || !best.score().isBetterThan(evaluation.score())) {
            best = evaluation;
        }
    }

    /** Drops the results of generations other than {@code generation}, which has just begun. */
    public synchronized void retainOnly(String generation) {
        if (newest != null && !newest.version().generation().equals(generation)) {
            newest = null;
            best = null;
        }
    }

    /** Returns the evaluation of the newest evaluated version. */
    public synchronized Optional<HeldOutResult> newest() {
        return Optional.ofNullable(newest);
    }

    /** Returns the evaluation with the best score. */
    public synchronized Optional<HeldOutResult> best() {
        return Optional.ofNullable(best);
    }

    /**
     * A held-out result.
     *
     * @param version      the evaluated version
     * @param accuracy     share of samples classified correctly, 0 to 1; empty where numbers or labels are predicted
     * @param accuracyTop5 share of samples whose label was among the five most probable classes, if the evaluator
     *     reports it
     * @param loss         mean loss, if the evaluator reports it; a text, predicted numbers and labels need it
     * @param text         what the result says of a text only
     * @param regression   what the result says of predicted numbers only
     * @param binary       what the result says of the two classes of a table only
     * @param labels       what the result says of several labels only
     * @param samples      number of samples
     */
    public record HeldOutResult(
            ParameterVersion version,
            Optional<Double> accuracy,
            Optional<Double> accuracyTop5,
            Optional<Double> loss,
            Optional<TextFigures> text,
            Optional<RegressionFigures> regression,
            Optional<BinaryFigures> binary,
            Optional<LabelFigures> labels,
            long samples) {

        public HeldOutResult {
            requireOne(accuracy, regression, labels);
            double share = accuracy.orElse(0.0);
            requireShare("accuracy", share);
            accuracyTop5.filter(value -> !(value >= share && value <= 1)).ifPresent(value -> {
                throw new IllegalArgumentException(
                        "accuracyTop5 must be between the accuracy, which is %s, and 1; it is %s"
                                .formatted(share, value));
            });
            if (samples < 1) {
                throw new IllegalArgumentException("samples must be 1 or more; it is %d".formatted(samples));
            }
            loss.filter(value -> !(value >= 0 && Double.isFinite(value))).ifPresent(value -> {
                throw new IllegalArgumentException(
                        "loss must be a finite number, 0 or more; it is %s".formatted(value));
            });
            text.ifPresent(figures -> require(figures, loss));
            regression.ifPresent(figures -> require(figures, loss));
            if (binary.isPresent() && accuracy.isEmpty()) {
                throw new IllegalArgumentException(
                        "an evaluation with figures of two classes (binary) has an accuracy");
            }
            binary.ifPresent(HeldOutResult::require);
            labels.ifPresent(figures -> require(figures, loss));
        }

        private static void requireOne(
                Optional<Double> accuracy, Optional<RegressionFigures> regression, Optional<LabelFigures> labels) {
            long kinds = Stream.of(accuracy, regression, labels)
                    .filter(Optional::isPresent)
                    .count();
            if (kinds != 1) {
                throw new IllegalArgumentException(
                        "an evaluation has one of an accuracy, figures of numbers (regression) and figures of labels (labels); it has %d of them"
                                .formatted(kinds));
            }
        }

        private static void require(LabelFigures figures, Optional<Double> loss) {
            if (loss.isEmpty()) {
                throw new IllegalArgumentException(
                        "loss is missing: the evaluation has figures of labels, whose loss says how good it is");
            }
            requireShare("labels.microF1", figures.microF1());
            requireShare("labels.macroF1", figures.macroF1());
            requireShare("labels.exactMatch", figures.exactMatch());
            requireShare("labels.hammingLoss", figures.hammingLoss());
            if (figures.macroAuc() != null) {
                requireShare("labels.macroAuc", figures.macroAuc());
            }
            if (figures.oneSided() < 0 || figures.oneSided() > figures.labels()) {
                throw new IllegalArgumentException(
                        "labels.oneSided must be from 0 to labels.labels, which is %d; it is %d"
                                .formatted(figures.labels(), figures.oneSided()));
            }
        }

        private static void require(BinaryFigures figures) {
            if (figures.auc() != null) {
                requireShare("binary.auc", figures.auc());
            }
            requireShare("binary.f1", figures.f1());
            requireShare("binary.precision", figures.precision());
            requireShare("binary.recall", figures.recall());
        }

        private static void requireShare(String name, double value) {
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException("%s must be between 0 and 1; it is %s".formatted(name, value));
            }
        }

        private static void require(RegressionFigures figures, Optional<Double> loss) {
            if (loss.isEmpty()) {
                throw new IllegalArgumentException(
                        "loss is missing: the evaluation has figures of numbers, whose loss says how good it is");
            }
            requireError("regression.rmse", figures.rmse());
            requireError("regression.mae", figures.mae());
            Double r2 = figures.r2();
            if (r2 != null && !(r2 <= 1 && Double.isFinite(r2))) {
                throw new IllegalArgumentException(
                        "regression.r2 must be a finite number, 1 or less; it is %s".formatted(r2));
            }
        }

        private static void requireError(String name, double value) {
            if (!(value >= 0 && Double.isFinite(value))) {
                throw new IllegalArgumentException(
                        "%s must be a finite number, 0 or more; it is %s".formatted(name, value));
            }
        }

        private static void require(TextFigures figures, Optional<Double> loss) {
            if (loss.isEmpty()) {
                throw new IllegalArgumentException(
                        "loss is missing: the evaluation has figures of a text, whose loss says how good it is");
            }
            if (figures.tokensPerSample() < 1) {
                throw new IllegalArgumentException(
                        "text.tokensPerSample must be 1 or more; it is %d".formatted(figures.tokensPerSample()));
            }
            Double bits = figures.bitsPerCharacter();
            if (bits != null && !(bits >= 0 && Double.isFinite(bits))) {
                throw new IllegalArgumentException(
                        "text.bitsPerCharacter must be a finite number, 0 or more; it is %s".formatted(bits));
            }
        }

        /** Returns what says whether this version is better than another. */
        public HeldOutScore score() {
            return HeldOutScore.of(accuracy.orElse(null), loss.orElse(null), text.isPresent())
                    .orElseThrow();
        }
    }
}

package org.fleetgrad.serving.evaluation;

import java.util.Optional;
import org.fleetgrad.datasets.table.Moments;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.RowTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.ClassDetails;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.jspecify.annotations.Nullable;

/** What a network's predictions are worth, added up over all of them, in float64. Confined to one thread. */
abstract sealed class Scores permits LabelScores, Scores.OfClasses, Scores.OfNumbers {

    private long count;
    private double loss;

    /**
     * Begins.
     *
     * @param outputs of one prediction
     * @param targets of the samples
     * @throws IllegalArgumentException if a number is predicted, and the samples have classes
     */
    static Scores of(Task task, int outputs, HeldOutTargets targets) {
        if (task.question() instanceof Regression regression) {
            NumberTarget column = targets.number()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the network predicts a number, and the held-out samples have classes"));
            return new OfNumbers(regression.loss(), column, new KeptPairs(column, targets.count()));
        }
        if (task.question() instanceof Labels) {
            return new LabelScores(targets.classes());
        }
        boolean isYesOrNo = task instanceof RowTask rows && rows.isBinary();
        int classes = targets.classes().size();
        return new OfClasses(
                outputs,
                isYesOrNo ? Optional.of(new BinaryScores()) : Optional.empty(),
                classes == outputs && classes <= ClassDetails.MOST_CLASSES
                        ? Optional.of(new Confusion(targets.classes()))
                        : Optional.empty());
    }

    /**
     * Adds a prediction.
     *
     * @param outputs of a batch
     * @param from    place of the prediction's first
     * @param targets of a batch
     * @param at      place of the prediction's first
     */
    final void add(float[] outputs, int from, float[] targets, int at) {
        count++;
        loss += lossOf(outputs, from, targets, at);
    }

    abstract double lossOf(float[] outputs, int from, float[] targets, int at);

    /** Returns the sum of the losses. */
    final double loss() {
        return loss;
    }

    /** Returns the mean loss. */
    final double meanLoss() {
        return loss / count;
    }

    final long count() {
        return count;
    }

    Optional<Double> accuracy() {
        return Optional.empty();
    }

    Optional<Double> accuracyTop5() {
        return Optional.empty();
    }

    Optional<RegressionFigures> regression() {
        return Optional.empty();
    }

    Optional<BinaryFigures> binary() {
        return Optional.empty();
    }

    Optional<LabelFigures> labels() {
        return Optional.empty();
    }

    /** Returns what is right and what is wrong. */
    abstract EvaluationDetails details();

    /** One class, or one token, of several. */
    static final class OfClasses extends Scores {

        private static final int TOP = 5;

        private final int outputs;
        private final Optional<BinaryScores> binary;
        private final Optional<Confusion> confusion;
        private long right;
        private long rightTop;

        OfClasses(int outputs, Optional<BinaryScores> binary, Optional<Confusion> confusion) {
            this.outputs = outputs;
            this.binary = binary;
            this.confusion = confusion;
        }

        @Override
        double lossOf(float[] logits, int from, float[] targets, int at) {
            int label = (int) targets[at];
            int rank = rank(logits, from, label);
            right += rank == 0 ? 1 : 0;
            rightTop += rank < TOP ? 1 : 0;
            if (binary.isPresent()) {
                binary.get().add(logits[from + 1] - logits[from], label == 1);
            }
            if (confusion.isPresent()) {
                confusion.get().add(label, rank == 0 ? label : first(logits, from));
            }
            return crossEntropy(logits, from, label);
        }

        /** Returns the class that ranks before all others. */
        private int first(float[] logits, int from) {
            int first = 0;
            for (int i = 1; i < outputs; i++) {
                first = logits[from + i] > logits[from + first] ? i : first;
            }
            return first;
        }

        /** Counts the classes that rank before one: those with larger logits, and of equal logits those with smaller numbers. */
        private int rank(float[] logits, int from, int label) {
            float own = logits[from + label];
            int before = 0;
            for (int i = 0; i < outputs; i++) {
                float other = logits[from + i];
                before += other > own || (other == own && i < label) ? 1 : 0;
            }
            return before;
        }

        /** Computes -log softmax(logits)[label] = log(sum(exp(s - max))) - (s[label] - max). */
        private double crossEntropy(float[] logits, int from, int label) {
            double max = Double.NEGATIVE_INFINITY;
            for (int i = from; i < from + outputs; i++) {
                max = Math.max(max, logits[i]);
            }
            double sum = 0;
            for (int i = from; i < from + outputs; i++) {
                sum += Math.exp(logits[i] - max);
            }
            return Math.log(sum) - (logits[from + label] - max);
        }

        @Override
        Optional<Double> accuracy() {
            return Optional.of((double) right / count());
        }

        @Override
        Optional<Double> accuracyTop5() {
            return outputs > TOP ? Optional.of((double) rightTop / count()) : Optional.empty();
        }

        @Override
        Optional<BinaryFigures> binary() {
            return binary.map(BinaryScores::figures);
        }

        @Override
        EvaluationDetails details() {
            return new EvaluationDetails(
                    confusion.map(Confusion::details).orElse(null),
                    binary.flatMap(BinaryScores::roc).orElse(null),
                    null,
                    null);
        }
    }

    /** Numbers. */
    static final class OfNumbers extends Scores {

        private final Loss question;
        private final double unit;
        private final KeptPairs pairs;
        private double squares;
        private double sizes;
        private final Moments targets = new Moments();

        OfNumbers(Loss question, NumberTarget column, KeptPairs pairs) {
            this.question = question;
            this.unit = column.std();
            this.pairs = pairs;
        }

        @Override
        double lossOf(float[] outputs, int from, float[] given, int at) {
            float target = given[at];
            double difference = (double) outputs[from] - target;
            squares += difference * difference;
            sizes += Math.abs(difference);
            targets.add(target);
            pairs.add(target, outputs[from]);
            return question.of(difference);
        }

        @Override
        Optional<RegressionFigures> regression() {
            @Nullable Double r2 = targets.squares() > 0 ? (Double) (1 - squares / targets.squares()) : null;
            return Optional.of(new RegressionFigures(unit * Math.sqrt(squares / count()), unit * sizes / count(), r2));
        }

        @Override
        EvaluationDetails details() {
            return new EvaluationDetails(null, null, pairs.details(), null);
        }
    }
}

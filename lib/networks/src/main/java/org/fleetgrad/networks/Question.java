package org.fleetgrad.networks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.layer.WrongArgumentException;

/** What is predicted of a sample. Immutable. */
public sealed interface Question {

    /** Returns the number of outputs of a network that answers it. */
    int outputs();

    /** Returns the number of targets of one prediction: 1, or one for each label. */
    default int targets() {
        return 1;
    }

    /** Returns what a network's name says of it, by the names of its arguments. */
    SortedMap<String, String> arguments();

    /**
     * Reads the question that a complete name states: one of classes if it has classes, one of labels if it has labels, else one of a
     * number.
     *
     * @throws IllegalArgumentException if it states several or none, or an argument is wrong
     */
    static Question stated(NetworkName name) {
        Optional<String> loss = name.argument(NetworkName.LOSS);
        Optional<String> classes = name.argument(NetworkName.CLASSES);
        if (name.argument(NetworkName.LABELS).isPresent()) {
            if (loss.isPresent() || classes.isPresent()) {
                throw new WrongArgumentException("the network '%s' states %s and %s: it answers one question"
                        .formatted(
                                name,
                                NetworkName.LABELS,
                                classes.isPresent() ? NetworkName.CLASSES : NetworkName.LOSS));
            }
            return new Labels(name.number(NetworkName.LABELS, Labels.MOST));
        }
        if (loss.isEmpty()) {
            return new OneClass(name.classes());
        }
        if (classes.isPresent()) {
            throw new WrongArgumentException("the network '%s' states %s and %s: a class has no distance"
                    .formatted(name, NetworkName.CLASSES, NetworkName.LOSS));
        }
        return new Regression(Loss.of(name.choice(NetworkName.LOSS, Loss.words())));
    }

    /**
     * Which one of several classes: cross-entropy of one output for each.
     *
     * @param classes number of classes
     */
    record OneClass(int classes) implements Question {

        @Override
        public int outputs() {
            return classes;
        }

        @Override
        public SortedMap<String, String> arguments() {
            return new TreeMap<>(Map.of(NetworkName.CLASSES, Integer.toString(classes)));
        }

        @Override
        public String toString() {
            return "%d classes".formatted(classes);
        }
    }

    /**
     * Which of several labels, each of them yes or no whatever the others are: binary cross-entropy of one output for each, the log-odds of
     * yes, as PyTorch's {@code BCEWithLogitsLoss}.
     *
     * @param labels number of labels
     */
    record Labels(int labels) implements Question {

        /** Most labels. */
        public static final int MOST = 1_000;

        @Override
        public int outputs() {
            return labels;
        }

        @Override
        public int targets() {
            return labels;
        }

        @Override
        public SortedMap<String, String> arguments() {
            return new TreeMap<>(Map.of(NetworkName.LABELS, Integer.toString(labels)));
        }

        @Override
        public String toString() {
            return "%d labels".formatted(labels);
        }
    }

    /**
     * How much: one output, which is the number.
     *
     * @param loss of the difference between output and target
     */
    record Regression(Loss loss) implements Question {

        @Override
        public int outputs() {
            return 1;
        }

        @Override
        public SortedMap<String, String> arguments() {
            return new TreeMap<>(Map.of(NetworkName.LOSS, loss.word()));
        }

        @Override
        public String toString() {
            return "a number";
        }
    }

    /** The loss of a number's prediction, by the difference d = output - target; the mean over a batch. */
    enum Loss {
        /** {@code d^2}, as PyTorch's {@code MSELoss}: its best constant is the mean. */
        SQUARED,

        /** {@code |d|}, as PyTorch's {@code L1Loss}: its best constant is the median. */
        ABSOLUTE,

        /** {@code d^2 / 2} up to 1, beyond {@code |d| - 1/2}, as PyTorch's {@code HuberLoss} (P. J. Huber 1964). */
        HUBER;

        /** Returns its word in a network's name. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the words of all. */
        static List<String> words() {
            return Arrays.stream(values()).map(Loss::word).toList();
        }

        private static Loss of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        /** Computes the loss of a difference. */
        public double of(double difference) {
            double size = Math.abs(difference);
            return switch (this) {
                case SQUARED -> difference * difference;
                case ABSOLUTE -> size;
                case HUBER -> size < 1 ? difference * difference / 2 : size - 0.5;
            };
        }
    }
}

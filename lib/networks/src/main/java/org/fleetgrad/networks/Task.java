package org.fleetgrad.networks;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a sample is, and what is predicted of it: the task that a dataset poses, and the one that a network solves. Immutable.
 */
public sealed interface Task permits RowTask, Task.ImageClassification, Task.LanguageModel, Task.TextClassification {

    /** The maximum number of classes of images. */
    int MOST_CLASSES = 65_536;

    /** The maximum number of tokens of a vocabulary, and of a sample. */
    int MOST_TOKENS = 1 << 20;

    /** The label of a token whose prediction does not count, as in PyTorch. */
    int IGNORED_LABEL = -100;

    /** Returns the shape of a sample. */
    List<Integer> input();

    /** Returns the shape of a sample's logits; the last dimension is {@link #classes}. */
    List<Integer> output();

    /** Returns the number of logits of one prediction; 1 if it is a number. */
    int classes();

    /** Returns what is predicted. */
    default Question question() {
        return new Question.OneClass(classes());
    }

    /** Describes the samples, for messages: such as {@code images of [1, 28, 28]}. */
    String samples();

    /** Returns what a network's name says of the task, by the names of its arguments. */
    SortedMap<String, String> arguments();

    /** Returns the arguments that a name may have for a task of this kind. */
    default Set<String> keys() {
        return arguments().keySet();
    }

    /** Returns the arguments that complete a name which says a part of the task. */
    default SortedMap<String, String> completing(NetworkName name) {
        return arguments();
    }

    /**
     * Returns the task of this kind that a complete name states.
     *
     * @throws IllegalArgumentException if an argument is missing or wrong
     */
    Task stated(NetworkName name);

    /**
     * Checks that a network for this task can solve a dataset's.
     *
     * @param text the network as its user wrote it, for messages
     * @throws IllegalArgumentException if it cannot; the message has the numbers
     */
    void requireFit(String text, Task ofDataset);

    /** Returns the number of tokens that there are, if samples are tokens. */
    default OptionalInt tokens() {
        return OptionalInt.empty();
    }

    /** Returns the number of values of a sample. */
    default int inputSize() {
        return input().stream().reduce(1, Math::multiplyExact);
    }

    /** Returns the number of predictions for a sample: 1, or one for each token. */
    default int predictions() {
        return output().subList(0, output().size() - 1).stream().reduce(1, Math::multiplyExact);
    }

    /** Returns the number of targets of a sample: 1, or one for each token or label. */
    default int targets() {
        return Math.multiplyExact(predictions(), question().targets());
    }

    private static IllegalArgumentException otherKind(String text, Task network, Task dataset) {
        return new IllegalArgumentException(
                "the network '%s' takes %s, the dataset has %s".formatted(text, network, dataset));
    }

    private static void requireClasses(String text, int network, int dataset) {
        if (network < dataset) {
            throw new IllegalArgumentException(
                    "the network '%s' has %d classes, the dataset has %d".formatted(text, network, dataset));
        }
    }

    private static void requireContext(String text, int network, int dataset) {
        if (network != dataset) {
            throw new IllegalArgumentException(
                    "the network '%s' has a context of %d tokens, the dataset's samples have %d"
                            .formatted(text, network, dataset));
        }
    }

    private static void requireVocabulary(String text, int network, int dataset) {
        if (network < dataset) {
            throw new IllegalArgumentException(
                    "the network '%s' has a vocabulary of %d tokens, the dataset has one of %d"
                            .formatted(text, network, dataset));
        }
    }

    /**
     * One class for each image.
     *
     * @param image   [channels, height, width]
     * @param classes number of classes
     */
    record ImageClassification(List<Integer> image, int classes) implements Task {

        public ImageClassification {
            image = List.copyOf(image);
        }

        @Override
        public List<Integer> input() {
            return image;
        }

        @Override
        public List<Integer> output() {
            return List.of(classes);
        }

        @Override
        public String samples() {
            return "images of " + image;
        }

        @Override
        public SortedMap<String, String> arguments() {
            return new TreeMap<>(Map.of(
                    NetworkName.CLASSES, Integer.toString(classes), NetworkName.INPUT, NetworkName.shape(image)));
        }

        @Override
        public Task stated(NetworkName name) {
            return new ImageClassification(name.input(), name.classes());
        }

        @Override
        public void requireFit(String text, Task ofDataset) {
            if (!(ofDataset instanceof ImageClassification dataset)) {
                throw otherKind(text, this, ofDataset);
            }
            if (!image.equals(dataset.image())) {
                throw new IllegalArgumentException("the network '%s' takes images of %s, the dataset has %s"
                        .formatted(text, image, dataset.image()));
            }
            requireClasses(text, classes, dataset.classes());
        }

        @Override
        public String toString() {
            return "%s in %d classes".formatted(samples(), classes);
        }
    }

    /**
     * The next token after each token of a text.
     *
     * @param context    tokens of a sample
     * @param vocabulary number of tokens that there are
     */
    record LanguageModel(int context, int vocabulary) implements Task {

        @Override
        public List<Integer> input() {
            return List.of(context);
        }

        @Override
        public List<Integer> output() {
            return List.of(context, vocabulary);
        }

        @Override
        public int classes() {
            return vocabulary;
        }

        @Override
        public OptionalInt tokens() {
            return OptionalInt.of(vocabulary);
        }

        @Override
        public String samples() {
            return "texts of %d tokens".formatted(context);
        }

        @Override
        public SortedMap<String, String> arguments() {
            return new TreeMap<>(Map.of(
                    NetworkName.CONTEXT,
                    Integer.toString(context),
                    NetworkName.VOCABULARY,
                    Integer.toString(vocabulary)));
        }

        @Override
        public Task stated(NetworkName name) {
            return new LanguageModel(
                    name.number(NetworkName.CONTEXT, MOST_TOKENS), name.number(NetworkName.VOCABULARY, MOST_TOKENS));
        }

        @Override
        public void requireFit(String text, Task ofDataset) {
            if (!(ofDataset instanceof LanguageModel dataset)) {
                throw otherKind(text, this, ofDataset);
            }
            requireContext(text, context, dataset.context());
            requireVocabulary(text, vocabulary, dataset.vocabulary());
        }

        @Override
        public String toString() {
            return "%s of a vocabulary of %d".formatted(samples(), vocabulary);
        }
    }

    /**
     * One class for each text. A text is its tokens, filled up to the context with a token that is no part of a text.
     *
     * @param context    tokens of a sample
     * @param vocabulary number of tokens that there are, with the one that fills up
     * @param classes    number of classes
     * @param padding    number of the token that fills samples up
     */
    record TextClassification(int context, int vocabulary, int classes, int padding) implements Task {

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if the padding is not in the vocabulary
         */
        public TextClassification {
            if (padding < 0 || padding >= vocabulary) {
                throw new IllegalArgumentException("the padding must be a token of the vocabulary, 0 to %d; it is %d"
                        .formatted(vocabulary - 1, padding));
            }
        }

        @Override
        public List<Integer> input() {
            return List.of(context);
        }

        @Override
        public List<Integer> output() {
            return List.of(classes);
        }

        @Override
        public OptionalInt tokens() {
            return OptionalInt.of(vocabulary);
        }

        @Override
        public String samples() {
            return "texts of up to %d tokens".formatted(context);
        }

        @Override
        public SortedMap<String, String> arguments() {
            return new TreeMap<>(Map.of(
                    NetworkName.CONTEXT,
                    Integer.toString(context),
                    NetworkName.VOCABULARY,
                    Integer.toString(vocabulary),
                    NetworkName.CLASSES,
                    Integer.toString(classes),
                    NetworkName.PADDING,
                    Integer.toString(padding)));
        }

        @Override
        public Task stated(NetworkName name) {
            int tokens = name.number(NetworkName.VOCABULARY, MOST_TOKENS);
            return new TextClassification(
                    name.number(NetworkName.CONTEXT, MOST_TOKENS),
                    tokens,
                    name.classes(),
                    name.index(NetworkName.PADDING, tokens));
        }

        @Override
        public void requireFit(String text, Task ofDataset) {
            if (!(ofDataset instanceof TextClassification dataset)) {
                throw otherKind(text, this, ofDataset);
            }
            requireContext(text, context, dataset.context());
            requireVocabulary(text, vocabulary, dataset.vocabulary());
            if (padding != dataset.padding()) {
                throw new IllegalArgumentException(
                        "the network '%s' takes the token %d as padding, the dataset's samples are filled up with %d"
                                .formatted(text, padding, dataset.padding()));
            }
            requireClasses(text, classes, dataset.classes());
        }

        @Override
        public String toString() {
            return "%s of a vocabulary of %d in %d classes".formatted(samples(), vocabulary, classes);
        }
    }
}

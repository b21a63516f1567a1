package org.fleetgrad.networks;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.OneClass;

/** A question about a row of numbers: of a table, or an array. A network's name states it. */
public sealed interface RowTask extends Task permits SeriesTask, TableTask {

    /** The arguments of which a name has one, by the question. */
    List<String> QUESTIONS = List.of(NetworkName.CLASSES, NetworkName.LABELS, NetworkName.LOSS);

    @Override
    Question question();

    @Override
    default List<Integer> output() {
        return List.of(classes());
    }

    @Override
    default int classes() {
        return question().outputs();
    }

    /** A name that states one question is not completed with another. */
    @Override
    default SortedMap<String, String> completing(NetworkName name) {
        SortedMap<String, String> all = arguments();
        if (QUESTIONS.stream().anyMatch(key -> name.argument(key).isPresent())) {
            all.keySet().removeAll(question().arguments().keySet());
        }
        return all;
    }

    /** Returns whether one of two classes is predicted: yes or no. */
    default boolean isBinary() {
        return question() instanceof OneClass && classes() == 2;
    }

    /** Describes samples and question, for messages. */
    default String described() {
        return question() instanceof OneClass
                ? "%s in %s".formatted(samples(), question())
                : "%s with %s each".formatted(samples(), question());
    }

    /**
     * Returns what {@link #samples} does not say of how the samples of a task of this kind differ; empty if they are the same.
     *
     * @param other of the same class
     */
    default Optional<String> difference(RowTask other) {
        return samples().equals(other.samples()) ? Optional.empty() : Optional.of("");
    }

    /**
     * Checks that a network for this task answers a dataset's question about the same samples.
     *
     * @throws IllegalArgumentException if the kinds of the tasks, the questions or the samples differ, or the dataset has more classes
     */
    @Override
    default void requireFit(String text, Task ofDataset) {
        if (!(ofDataset instanceof RowTask dataset)
                || !getClass().equals(dataset.getClass())
                || !question().getClass().equals(dataset.question().getClass())) {
            throw new IllegalArgumentException(
                    "the network '%s' takes %s, the dataset has %s".formatted(text, this, ofDataset));
        }
        Optional<String> difference = difference(dataset);
        if (difference.isPresent()) {
            throw new IllegalArgumentException("the network '%s' takes %s, the dataset has %s%s"
                    .formatted(text, samples(), dataset.samples(), difference.get()));
        }
        if (question() instanceof Labels && classes() != dataset.classes()) {
            throw new IllegalArgumentException(
                    "the network '%s' has %d labels, the dataset has %d".formatted(text, classes(), dataset.classes()));
        }
        if (classes() < dataset.classes()) {
            throw new IllegalArgumentException("the network '%s' has %d classes, the dataset has %d"
                    .formatted(text, classes(), dataset.classes()));
        }
    }
}

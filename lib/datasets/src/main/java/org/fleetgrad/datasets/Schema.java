package org.fleetgrad.datasets;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.networks.Task;

/**
 * What the samples of a dataset are, and what is predicted of them. It travels with the shards, and in the metadata of each
 * parameter set that is trained on them, so that a server of the model needs nothing else. Immutable and thread-safe.
 */
public sealed interface Schema permits ImageSchema, LabelledTextSchema, RowSchema, TextSchema {

    /** Returns the task that the dataset poses. */
    Task task();

    /** Returns what turns text into tokens, if the samples are texts. */
    default Optional<Tokenizer> textTokenizer() {
        return Optional.empty();
    }

    /** Returns the file of the tokenizer, if the samples are texts, it is a file, and the file is here. */
    default Optional<byte[]> tokenizerFile() {
        return textTokenizer()
                .flatMap(tokenizer -> tokenizer instanceof JsonTokenizer json ? json.file() : Optional.empty());
    }

    /** Returns the names of the classes, in the order of the labels; none if samples do not have one class each. */
    default List<String> classes() {
        return List.of();
    }

    /** Returns the metadata of a parameter set that is trained on the dataset, without the dataset's name. */
    Map<String, String> metadata();
}

package org.fleetgrad.datasets.sampling;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which samples of a shard an epoch has. */
public enum Sampling {
    /** Each sample once, in random order. */
    SHUFFLED,

    /** As many samples as the shard has, drawn with replacement, those of each class equally often. */
    BALANCED;

    /** Returns its word for users. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the words of all. */
    public static List<String> words() {
        return Arrays.stream(values()).map(Sampling::word).toList();
    }

    /** Returns the one with this word. */
    public static Optional<Sampling> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }
}

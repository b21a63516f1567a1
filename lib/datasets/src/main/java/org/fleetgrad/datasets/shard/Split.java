package org.fleetgrad.datasets.shard;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The purpose of a part of a dataset. */
public enum Split {
    TRAIN,
    TEST;

    /** Returns the name used in files: {@code train} or {@code test}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Finds the split with this name; upper and lower case differ. */
    public static Optional<Split> named(String text) {
        return Arrays.stream(values())
                .filter(split -> split.text().equals(text))
                .findFirst();
    }
}

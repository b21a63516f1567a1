package org.fleetgrad.datasets.table;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the values of a column are. */
public enum ColumnKind {
    /** Finite decimal numbers. */
    NUMBER,
    /** One of some words. */
    CATEGORY,
    /** Dates, perhaps with a time. */
    DATE,
    /** Nothing that is trained on. */
    DROP;

    /** Returns the word that users write. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Finds the kind with this name; upper and lower case differ. */
    static Optional<ColumnKind> named(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }

    /** Lists all, for messages. */
    static String list() {
        return Arrays.stream(values()).map(ColumnKind::text).collect(Collectors.joining(", "));
    }
}

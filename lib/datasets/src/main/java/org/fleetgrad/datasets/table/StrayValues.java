package org.fleetgrad.datasets.table;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.files.text.Printable;

/**
 * The values of a column that are no numbers, while nearly all others are: one misspelt number must not make a word of each. Not
 * thread-safe.
 */
final class StrayValues {

    /** Of so many values at most one is a stray; with more, the column is one of words. */
    private static final int VALUES_A_STRAY = 10;

    private static final int MOST_NAMED = 5;
    private static final int MOST_SHOWN = 40;

    private final List<String> named = new ArrayList<>();
    private long numbers;
    private long others;

    /** Counts a value that is a number. */
    void addNumber() {
        numbers++;
    }

    /** Counts a value that is none; the first few are remembered with their lines. */
    void add(String value, TableRows rows) {
        others++;
        if (named.size() < MOST_NAMED) {
            String shown = value.length() > MOST_SHOWN ? value.substring(0, MOST_SHOWN) + "…" : value;
            named.add("%s is '%s'".formatted(rows.place(), Printable.text(shown)));
        }
    }

    /** Returns whether nine of ten values or more are numbers, and some are not. */
    boolean areFew() {
        return others > 0 && numbers >= (VALUES_A_STRAY - 1) * others;
    }

    /** Returns how many values are numbers, and which are not. */
    String text() {
        return "%,d of %,d values are numbers, and %,d %s not: %s%s"
                .formatted(
                        numbers,
                        numbers + others,
                        others,
                        others == 1 ? "is" : "are",
                        String.join("; ", named),
                        others > named.size() ? "; and %,d more".formatted(others - named.size()) : "");
    }
}

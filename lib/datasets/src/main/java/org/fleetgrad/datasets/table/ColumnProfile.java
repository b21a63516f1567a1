package org.fleetgrad.datasets.table;

import java.util.Optional;
import org.fleetgrad.datasets.table.DateColumn.Moment;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;

/** What all values of a column have in common. Not thread-safe. */
final class ColumnProfile {

    /** A column of words with more different ones, and these in most rows, is names or ids. */
    private static final int MANY = 1000;

    private final String name;
    private final Optional<ColumnKind> said;
    private final DistinctCount distinct;
    private final StrayValues strays = new StrayValues();
    private boolean mayBeNumber = true;
    private boolean mayBeDate = true;
    private boolean mayCount = true;
    private boolean hasTime;
    private boolean begins = true;
    private double last = Double.NaN;
    private long rows;
    private long missing;

    /**
     * Makes a profile of a column without rows.
     *
     * @param said the kind that the user says
     * @param most number of different values that are counted exactly
     */
    ColumnProfile(String name, Optional<ColumnKind> said, int most) {
        this.name = name;
        this.said = said;
        this.distinct = new DistinctCount(most);
    }

    /** Begins a file: a count of rows may begin anew. */
    void beginFile() {
        begins = true;
    }

    /**
     * Adds a value.
     *
     * @throws IllegalArgumentException if it is not of the kind that the user says
     */
    void add(String value, TableRows at) {
        rows++;
        if (FieldValue.isMissing(value)) {
            missing++;
            mayCount = false;
            return;
        }
        distinct.add(DistinctCount.hash(value));
        if (said.isPresent()) {
            addSaid(value, said.get());
            return;
        }
        addNumber(FieldValue.number(value), value, at);
        if (mayBeDate) {
            @Nullable Moment moment = Moment.parse(value);
            mayBeDate = moment != null;
            hasTime |= moment != null && moment.hasTime();
        }
    }

    private void addSaid(String value, ColumnKind kind) {
        switch (kind) {
            case NUMBER -> NumberColumn.number(name, value);
            case DATE -> hasTime |= DateColumn.moment(name, value).hasTime();
            default -> {}
        }
    }

    private void addNumber(double number, String value, TableRows at) {
        if (Double.isNaN(number)) {
            strays.add(value, at);
            mayBeNumber = false;
            mayCount = false;
        } else {
            strays.addNumber();
        }
        if (mayCount) {
            boolean isFirst = Double.isNaN(last);
            boolean continues = number == last + 1;
            mayCount = continues || ((isFirst || begins) && (number == 0 || number == 1));
            begins = false;
            last = number;
        }
    }

    String name() {
        return name;
    }

    /** Returns the number of rows in which the value is missing. */
    long missing() {
        return missing;
    }

    /** Returns the number of different values, about. */
    DistinctCount distinct() {
        return distinct;
    }

    boolean hasTime() {
        return hasTime;
    }

    /** Returns the kind. */
    ColumnKind kind() {
        if (said.isPresent()) {
            return said.get();
        }
        if (missing == rows) {
            return ColumnKind.CATEGORY;
        }
        return mayBeNumber ? ColumnKind.NUMBER : mayBeDate ? ColumnKind.DATE : ColumnKind.CATEGORY;
    }

    /** Returns which values are no numbers, if these make a category of a column of numbers. */
    Optional<String> strays() {
        return said.isEmpty() && !name.isEmpty() && kind() == ColumnKind.CATEGORY && strays.areFew()
                ? Optional.of(
                        "'%s' is taken for words: %s. Correct them or leave them empty, or keep it with --column '%s:category'"
                                .formatted(Printable.text(name), strays.text(), Printable.text(name)))
                : Optional.empty();
    }

    /** Returns why the column is not trained on, if it is not. */
    Optional<String> dropped() {
        if (said.isPresent()) {
            return said.get() == ColumnKind.DROP ? Optional.of("as said") : Optional.empty();
        }
        if (name.isEmpty()) {
            return Optional.of(mayBeNumber && mayCount ? "counts the rows, and has no name" : "has no name");
        }
        if (missing == rows) {
            return Optional.of("has no value");
        }
        if (distinct.count() == 1 && missing == 0) {
            return Optional.of("has one value");
        }
        if (mayBeNumber && mayCount) {
            return Optional.of("counts the rows; --column '%s:number' keeps it".formatted(name));
        }
        if (kind() == ColumnKind.CATEGORY && distinct.count() > MANY && 2 * distinct.count() > rows) {
            return Optional.of("looks like names or ids; --column '%s:category' keeps it".formatted(name));
        }
        return Optional.empty();
    }
}

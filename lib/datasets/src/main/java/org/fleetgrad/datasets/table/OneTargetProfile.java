package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.files.text.Printable;

/** What the values of a target column have in common, and which of the training rows have which, while they can be classes. */
final class OneTargetProfile implements TargetProfile {

    private static final int FIRST_ROWS = 1 << 10;

    private final String name;
    private final int source;
    private final Optional<ColumnKind> said;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final StrayValues strays = new StrayValues();
    private int[] codes = new int[FIRST_ROWS];
    private int rows;
    private boolean isNumber = true;
    private boolean isNoOrYes = true;
    private boolean mayBeClasses = true;
    private String example = "";

    /** @param source in which column of a row it is */
    OneTargetProfile(String name, int source, Optional<ColumnKind> said) {
        this.name = name;
        this.source = source;
        this.said = said;
    }

    /**
     * Adds the value of a row.
     *
     * @throws IllegalArgumentException if it is missing, not of the kind that the user says, or an infinite number among numbers
     */
    @Override
    public void add(TableRows rows, boolean isHeldOut) throws IOException {
        String value = rows.get(source);
        TargetColumn.requirePresent(name, value);
        if (said.equals(Optional.of(ColumnKind.NUMBER))) {
            NumberColumn.number(name, value);
        }
        double number = said.isEmpty() ? FieldValue.number(value) : Double.NaN;
        if (!Double.isNaN(number)) {
            strays.addNumber();
        } else if (said.isEmpty()) {
            strays.add(value, rows);
            if (isNumber) {
                requireNotInfinite(value);
                isNumber = false;
                example = value;
            }
        }
        isNoOrYes &= number == 0 || number == 1;
        if (!isHeldOut) {
            addCode(value);
        }
    }

    /** A division by zero in one row must not make a class of each number. */
    private void requireNotInfinite(String value) {
        if (said.isEmpty() && FieldValue.isInfinite(value)) {
            throw new IllegalArgumentException(
                    "the target '%s' is '%s', which is no finite number; leave the row out, or pass --column '%s:category' to predict each value as a class"
                            .formatted(name, Printable.text(value), Printable.text(name)));
        }
    }

    /**
     * Checks that the values are numbers or words, unless the user says which.
     *
     * @throws IllegalArgumentException if nearly all are numbers
     */
    @Override
    public void requireFit() {
        if (said.isEmpty() && strays.areFew()) {
            throw new IllegalArgumentException(
                    "of the target '%s' %s. Correct them or leave their rows out, or pass --column '%s:category' to predict each value as a class"
                            .formatted(Printable.text(name), strays.text(), Printable.text(name)));
        }
    }

    private void addCode(String value) {
        rows++;
        if (!mayBeClasses) {
            return;
        }
        if ((numbers.size() >= Labels.MAX_CLASSES && !numbers.containsKey(value))
                || value.length() > CategoryColumn.MOST_CHARACTERS) {
            mayBeClasses = false;
            numbers.clear();
            codes = new int[0];
            return;
        }
        Integer code = numbers.putIfAbsent(value, numbers.size());
        if (rows > codes.length) {
            codes = Arrays.copyOf(codes, Math.max(rows, codes.length + (codes.length >> 1)));
        }
        codes[rows - 1] = code == null ? numbers.size() - 1 : code;
    }

    @Override
    public boolean isNumber() {
        return !hasClasses();
    }

    private boolean hasClasses() {
        if (said.isPresent()) {
            // The numbers 0 and 1 that are said to be numbers are numbers.
            return said.get() == ColumnKind.CATEGORY;
        }
        return !isNumber || (isNoOrYes && numbers.size() > 1);
    }

    @Override
    public TableTarget target() {
        return new ClassTarget(name, classes());
    }

    /** Returns the names of the classes, sorted. */
    private List<String> classes() {
        if (!mayBeClasses) {
            throw new IllegalArgumentException(
                    "the target '%s' has more than %,d different values, or one of more than %d characters, and not all are numbers, such as '%s'"
                            .formatted(
                                    name, Labels.MAX_CLASSES, CategoryColumn.MOST_CHARACTERS, Printable.text(example)));
        }
        return said.isEmpty() && isNumber
                ? ClassTarget.NO_AND_YES
                : numbers.keySet().stream().sorted().toList();
    }

    @Override
    public int[] strata() {
        if (!hasClasses()) {
            codes = new int[0];
            return new int[rows];
        }
        codes = Arrays.copyOf(codes, rows);
        return codes;
    }
}

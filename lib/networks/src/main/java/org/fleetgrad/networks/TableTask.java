package org.fleetgrad.networks;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fleetgrad.networks.layer.WrongArgumentException;

/**
 * A question about a row of a table. A row is plain values, then the number of a value of each column that is embedded.
 *
 * @param numbers    plain values of a row; 0 if all columns are embedded
 * @param categories of each embedded column: how many values it has, those that were never seen being the first, 0
 * @param question   what is predicted
 */
public record TableTask(int numbers, List<Integer> categories, Question question) implements RowTask {

    /** The argument with the number of plain values. */
    public static final String NUMBERS = "numbers";

    /** The argument with the values of each embedded column, such as {@code 31,1025}, or {@code none}. */
    public static final String CATEGORIES = "categories";

    /** Most values of a row. */
    public static final int MOST_VALUES = 65_536;

    private static final String NONE = "none";
    private static final int MOST_LISTED = 20;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a row has no value, or too many; or if a column has no value, or too many
     */
    public TableTask {
        categories = List.copyOf(categories);
        if (numbers < 0 || numbers + (long) categories.size() < 1 || numbers + (long) categories.size() > MOST_VALUES) {
            throw new IllegalArgumentException(
                    "a row of a table has 1 to %d values; it has %d numbers and %d categories"
                            .formatted(MOST_VALUES, numbers, categories.size()));
        }
        for (int values : categories) {
            if (values < 1 || values > MOST_TOKENS) {
                throw new IllegalArgumentException(
                        "an embedded column has 1 to %d values; it has %d".formatted(MOST_TOKENS, values));
            }
        }
    }

    @Override
    public List<Integer> input() {
        return List.of(numbers + categories.size());
    }

    @Override
    public String samples() {
        return categories.isEmpty()
                ? "rows of %d numbers".formatted(numbers)
                : "rows of %d numbers and %d categories of %s values".formatted(numbers, categories.size(), listed());
    }

    /** A table may have thousands, and this is for people. */
    private String listed() {
        return categories.size() <= MOST_LISTED
                ? categories.toString()
                : "[%s, and %d more]"
                        .formatted(
                                categories.subList(0, MOST_LISTED).stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(", ")),
                                categories.size() - MOST_LISTED);
    }

    @Override
    public SortedMap<String, String> arguments() {
        SortedMap<String, String> all = new TreeMap<>(question.arguments());
        all.put(NUMBERS, Integer.toString(numbers));
        all.put(
                CATEGORIES,
                categories.isEmpty()
                        ? NONE
                        : categories.stream().map(String::valueOf).collect(Collectors.joining(",")));
        return all;
    }

    @Override
    public Set<String> keys() {
        return Set.of(NUMBERS, CATEGORIES, NetworkName.CLASSES, NetworkName.LABELS, NetworkName.LOSS);
    }

    @Override
    public TableTask stated(NetworkName name) {
        return new TableTask(name.index(NUMBERS, MOST_VALUES + 1), categories(name), Question.stated(name));
    }

    private static List<Integer> categories(NetworkName name) {
        String text = name.argument(CATEGORIES).orElse(NONE);
        if (text.equals(NONE)) {
            return List.of();
        }
        // Possessive: otherwise each number would take a frame of the stack.
        if (!text.matches("[1-9]\\d{0,6}(?:,[1-9]\\d{0,6})*+")) {
            throw new WrongArgumentException("%s of %s must be numbers of values, such as 31,1025, or %s; it is '%s'"
                    .formatted(CATEGORIES, name.base(), NONE, text));
        }
        return Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList();
    }

    /** Compares the numbers themselves: the text for people lists few of many categories. */
    @Override
    public Optional<String> difference(RowTask other) {
        TableTask table = (TableTask) other;
        if (numbers == table.numbers && categories.equals(table.categories)) {
            return Optional.empty();
        }
        return Optional.of(firstDifferent(table.categories));
    }

    /** Returns the first category of another number of values if the lists that people see do not show it. */
    private String firstDifferent(List<Integer> others) {
        for (int i = MOST_LISTED; i < Math.min(categories.size(), others.size()); i++) {
            if (!categories.get(i).equals(others.get(i))) {
                return "; first different beyond those: category %d has %d and %d"
                        .formatted(i, categories.get(i), others.get(i));
            }
        }
        return "";
    }

    @Override
    public String toString() {
        return described();
    }
}

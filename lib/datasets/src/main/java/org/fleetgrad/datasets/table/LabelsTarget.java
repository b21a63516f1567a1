package org.fleetgrad.datasets.table;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.Question.Labels;

/**
 * Several columns, each of them yes or no whatever the others are.
 *
 * @param columns two or more, in the order of the network's outputs
 */
public record LabelsTarget(List<LabelColumn> columns) implements TableTarget {

    /**
     * Checks the columns.
     *
     * @throws IllegalArgumentException if there are fewer than 2 or too many, or two have one name
     */
    public LabelsTarget {
        columns = List.copyOf(columns);
        requireNames(columns.stream().map(LabelColumn::name).toList());
    }

    /** Makes the target of columns by their names; it checks them likewise. */
    public static LabelsTarget of(List<String> names) {
        return new LabelsTarget(names.stream().map(LabelColumn::new).toList());
    }

    /** Checks names of labels. */
    static void requireNames(List<String> names) {
        if (names.size() < 2 || names.size() > Labels.MOST) {
            throw new IllegalArgumentException(
                    "a table has 2 to %,d labels; %,d targets are named".formatted(Labels.MOST, names.size()));
        }
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new IllegalArgumentException("the target '%s' is named twice".formatted(Printable.text(name)));
            }
        }
    }

    /** Returns the names of the labels. */
    public List<String> labels() {
        return columns.stream().map(LabelColumn::name).toList();
    }

    @Override
    public String name() {
        return String.join(", ", labels());
    }
}

package org.fleetgrad.datasets.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.files.text.Printable;

/** What was inferred of a table, as lines of a small table. */
public final class TableNotes {

    private static final List<String> HEAD = List.of("column", "kind", "values", "missing", "becomes");
    private static final int MOST_LINES = 100;
    private static final int MOST_NAME = 40;

    private TableNotes() {}

    /**
     * Makes the lines.
     *
     * @param columns those that are kept
     * @param target  if it is known
     */
    static List<String> of(TableProfile profile, List<TableColumn> columns, Optional<TableTarget> target) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        int kept = 0;
        for (int i = 0; i < profile.columns().size() && rows.size() <= MOST_LINES; i++) {
            ColumnProfile column = profile.columns().get(i);
            if (profile.isTarget(i)) {
                target.ifPresent(known -> rows.add(row(known, column.name())));
            } else if (i == profile.weightColumn()) {
                rows.add(List.of(
                        shown(column.name()), ColumnKind.NUMBER.text(), "", "0", "the weight of a row in the loss"));
            } else if (kept < columns.size() && columns.get(kept).name().equals(column.name())) {
                rows.add(row(column, becomes(columns.get(kept++))));
            } else {
                rows.add(row(column, "left out: " + column.dropped().orElse("has no value in the training rows")));
            }
        }
        List<String> lines = new ArrayList<>(aligned(rows));
        int more = profile.columns().size() - MOST_LINES;
        if (more > 0) {
            lines.add("and %,d more columns".formatted(more));
        }
        profile.columns().stream()
                .flatMap(column -> column.strays().stream())
                .limit(MOST_LINES)
                .forEach(lines::add);
        return lines;
    }

    private static List<String> row(ColumnProfile column, String becomes) {
        DistinctCount distinct = column.distinct();
        return List.of(
                column.name().isEmpty() ? "(no name)" : shown(column.name()),
                column.dropped().isPresent()
                        ? ColumnKind.DROP.text()
                        : column.kind().text(),
                (distinct.isExact() ? "%,d" : "about %,d").formatted(distinct.count()),
                "%,d".formatted(column.missing()),
                becomes);
    }

    private static List<String> row(TableTarget target, String column) {
        if (target instanceof LabelsTarget) {
            return List.of(shown(column), ColumnKind.CATEGORY.text(), "2", "0", "a label, no or yes");
        }
        boolean isNumber = target instanceof NumberTarget;
        return List.of(
                shown(column),
                (isNumber ? ColumnKind.NUMBER : ColumnKind.CATEGORY).text(),
                target instanceof ClassTarget classes
                        ? "%,d".formatted(classes.classes().size())
                        : "",
                "0",
                describe(target));
    }

    /** Returns what a target is, in a line. */
    public static String describe(TableTarget target) {
        if (target instanceof NumberTarget number) {
            return "the target, a number: mean %.4g, standard deviation %.4g".formatted(number.mean(), number.std());
        }
        if (target instanceof LabelsTarget labels) {
            return "the target, %,d labels: %s".formatted(labels.columns().size(), shown(labels.name()));
        }
        List<String> classes = ((ClassTarget) target).classes();
        return "the target, %,d classes: %s".formatted(classes.size(), shown(String.join(", ", classes)));
    }

    private static String becomes(TableColumn column) {
        if (column instanceof CategoryColumn category) {
            return category.isEmbedded()
                    ? "an index of %,d, for an embedding".formatted(category.indices())
                    : "%d values, one of them 1".formatted(category.values().size());
        }
        if (column instanceof NumberColumn number) {
            return "1 value%s: mean %.4g, standard deviation %.4g"
                    .formatted(number.hasMissing() ? ", and 1 if it is missing" : "", number.mean(), number.std());
        }
        DateColumn date = (DateColumn) column;
        return "%d values: year, month, day of the week%s%s"
                .formatted(
                        date.width(),
                        date.hasTime() ? ", time" : "",
                        date.hasMissing() ? ", and 1 if it is missing" : "");
    }

    private static String shown(String text) {
        return Printable.text(text.length() > MOST_NAME ? text.substring(0, MOST_NAME) + "…" : text);
    }

    private static List<String> aligned(List<List<String>> rows) {
        int[] widths = IntStream.range(0, HEAD.size())
                .map(i ->
                        rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, HEAD.size())
                        .mapToObj(i -> padded(row.get(i), widths[i], i == 2 || i == 3))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .toList();
    }

    private static String padded(String text, int width, boolean isRight) {
        String space = " ".repeat(width - text.length());
        return isRight ? space + text : text + space;
    }
}

package org.fleetgrad.cli.runs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fleetgrad.cli.display.TextPlot;
import org.fleetgrad.cli.display.TextTable;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.RunComparison;

/** Writes a comparison for a terminal. */
final class ComparisonText {

    private static final int LONGEST = 40;

    private ComparisonText() {}

    static String of(RunComparison comparison, int columns) {
        List<String> parts = new ArrayList<>();
        parts.add(
                comparison.settings().isEmpty()
                        ? "all settings are the same"
                        : table("SETTING", comparison, comparison.settings()));
        parts.add(table("RESULT", comparison, comparison.results()));
        comparison
                .curves()
                .forEach((curve, points) -> parts.add(
                        new TextPlot("%s over the training samples".formatted(curve.title()), columns, curve.isShare())
                                .draw(titles(comparison), points)));
        return String.join(System.lineSeparator().repeat(2), parts);
    }

    private static List<String> titles(RunComparison comparison) {
        return comparison.runs().stream().map(KeptRun::title).toList();
    }

    private static String table(String head, RunComparison comparison, Map<String, List<String>> rows) {
        List<String> heads = new ArrayList<>(List.of(head));
        for (int i = 0; i < comparison.runs().size(); i++) {
            heads.add("%c %s"
                    .formatted(
                            TextPlot.letter(i),
                            TextTable.cut(comparison.runs().get(i).title(), LONGEST)));
        }
        TextTable table = new TextTable(heads, Set.of(head));
        rows.forEach((name, values) -> {
            List<String> row = new ArrayList<>(List.of(name));
            values.forEach(value -> row.add(value.isEmpty() ? "-" : TextTable.cut(value, LONGEST)));
            table.add(row);
        });
        return table.text();
    }
}

package org.fleetgrad.benchmarks.modes;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.fleetgrad.benchmarks.figures.Values;
import org.fleetgrad.benchmarks.page.MarkedPart;

/** The table in Markdown. */
final class Page {

    static final MarkedPart TABLE =
            new MarkedPart("<!-- modes: begin; ./fleetgrad bench modes writes this -->", "<!-- modes: end -->");

    private Page() {}

    /** Writes the table of the cells that were measured. */
    static String table(List<Cell> cells, PartialResults results) {
        StringBuilder table = new StringBuilder("""
                | mode | staleness rule | workers | kills | accuracy | seconds | samples/s | staleness, mean | worst | applied | stale | lost |
                |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                """);
        for (Cell cell : cells) {
            List<Measured> runs = results.of(cell);
            if (!runs.isEmpty()) {
                table.append(row(cell, runs)).append('\n');
            }
        }
        return table.toString();
    }

    private static String row(Cell cell, List<Measured> runs) {
        boolean isDiverged = runs.stream().anyMatch(Measured::isDiverged);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %s | %.2f%%%s | %.1f | %,.0f | %.2f | %.0f | %,.0f | %,.0f | %,.0f |",
                cell.mode().label(),
                cell.rule(),
                cell.workers(),
                cell.isKilling()
                        ? "%.0f of %.0f".formatted(median(runs, Measured::kills), median(runs, Measured::activations))
                        : "0",
                100 * median(runs, Measured::accuracy),
                isDiverged ? " diverged" : "",
                median(runs, Measured::seconds),
                median(runs, run -> (double) run.samples() / run.seconds()),
                median(runs, Measured::meanStaleness),
                median(runs, run -> (double) run.worstStaleness()),
                median(runs, run -> (double) run.applied()),
                median(runs, run -> (double) run.stale()),
                median(runs, run -> (double) run.lost()));
    }

    private static double median(List<Measured> runs, ToDoubleFunction<Measured> figure) {
        return Values.of(runs.stream().mapToDouble(figure).toArray()).median();
    }
}

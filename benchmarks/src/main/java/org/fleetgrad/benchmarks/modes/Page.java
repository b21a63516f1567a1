package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.files.AtomicFile;

/** The table in Markdown, between two markers of a page whose prose stays as it is. */
final class Page {

    static final String BEGIN = "<!-- modes: begin; java -jar benchmarks/target/benchmarks.jar modes writes this -->";
    static final String END = "<!-- modes: end -->";

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
        return Figure.median(runs.stream().mapToDouble(figure).toArray());
    }

    /**
     * Puts {@code content} between the markers of a page; one that is not there is made of them alone.
     *
     * @throws IOException where a page has not both markers, in their order
     */
    static void replace(Path page, String content) throws IOException {
        String before = Files.exists(page) ? Files.readString(page) : BEGIN + "\n" + END + "\n";
        int begin = before.indexOf(BEGIN);
        int end = before.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(
                    "%s has not the lines '%s' and '%s' between which the table belongs".formatted(page, BEGIN, END));
        }
        String after = before.substring(0, begin) + BEGIN + "\n\n" + content + "\n" + before.substring(end);
        AtomicFile.write(page, after.getBytes(StandardCharsets.UTF_8));
    }
}

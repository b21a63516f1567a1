package org.fleetgrad.benchmarks.modes;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.fleetgrad.benchmarks.figures.Values;
import org.fleetgrad.benchmarks.page.ResultFile;

/**
 * The result of one run of a cell.
 *
 * @param run        number of the run, from 0
 * @param isDiverged whether a loss or a gradient was not finite, or the accuracy is that of guessing
 * @param seconds    from the first activation to the last answer
 * @param samples    training samples in applied gradients, including those of killed activations
 * @param stale      number of gradients that were dropped as too old
 * @param lost       number of gradients lost with killed workers
 */
record Measured(
        String row,
        int run,
        boolean isDiverged,
        double accuracy,
        double seconds,
        long samples,
        double meanStaleness,
        long worstStaleness,
        long applied,
        long stale,
        long lost,
        int activations,
        int kills)
        implements ResultFile.Entry {

    @Override
    public String outcome() {
        return String.format(
                Locale.ROOT,
                "%s: %.2f%%%s in %.1f s, staleness %.1f",
                row,
                100 * accuracy,
                isDiverged ? " diverged" : "",
                seconds,
                meanStaleness);
    }

    /** Returns the table of the cells that were measured, in Markdown: medians over the runs. */
    static String table(List<Cell> cells, ResultFile<Measured> results) {
        return results.table("""
                | mode | staleness rule | workers | kills | accuracy | seconds | samples/s | staleness, mean | worst | applied | stale | lost |
                |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                """, cells, Cell::name, Measured::line);
    }

    private static String line(Cell cell, List<Measured> runs) {
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
                runs.stream().anyMatch(Measured::isDiverged) ? " diverged" : "",
                median(runs, Measured::seconds),
                median(runs, run -> (double) run.samples() / run.seconds()),
                median(runs, Measured::meanStaleness),
                median(runs, run -> (double) run.worstStaleness()),
                median(runs, run -> (double) run.applied()),
                median(runs, run -> (double) run.stale()),
                median(runs, run -> (double) run.lost()));
    }

    private static double median(List<Measured> runs, ToDoubleFunction<Measured> figure) {
        return Values.of(runs, figure).median();
    }
}

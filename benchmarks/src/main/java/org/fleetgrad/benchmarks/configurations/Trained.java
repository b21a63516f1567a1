package org.fleetgrad.benchmarks.configurations;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.benchmarks.figures.Values;
import org.fleetgrad.benchmarks.page.ResultFile;

/**
 * The result of one run of a configuration.
 *
 * @param run       its seed
 * @param failure   why it brought no figures; empty if it did
 * @param figure    its {@code measure} on held-out samples
 * @param bubble    share of the stages' time in which they did nothing; -1 if there are no stages
 * @param peakMiB   largest resident memory of a process; 0 if the run did not state it
 * @param staleness mean of each stage, in steps; empty if there are no stages
 */
record Trained(
        String row,
        int run,
        String failure,
        Measure measure,
        double figure,
        double samplesPerSecond,
        double bubble,
        double peakMiB,
        List<Double> staleness)
        implements ResultFile.Entry {

    Trained {
        staleness = List.copyOf(staleness);
    }

    static Trained failed(String row, int seed, Measure measure, String failure) {
        return new Trained(row, seed, failure, measure, 0, 0, -1, 0, List.of());
    }

    boolean isWhole() {
        return failure.isEmpty();
    }

    @Override
    public String outcome() {
        return "%s, seed %d: %s".formatted(row, run, isWhole() ? measure.text(figure) : failure);
    }

    /** Returns the table of the configurations that were trained, in Markdown: medians over the seeds. */
    static String table(List<Configuration> configurations, ResultFile<Trained> results, Measure measure) {
        return results.table("""
                | dataset | network | recipe | stages | seeds | %s | from, to | samples/s | bubble | MiB | staleness of each stage |
                |---|---|---|---:|---:|---:|---:|---:|---:|---:|---|
                """.formatted(measure.column()), configurations, Configuration::name, Trained::line);
    }

    private static String line(Configuration configuration, List<Trained> all) {
        String name = "| %s | %s | `%s` | %d |"
                .formatted(
                        configuration.dataset(),
                        configuration.network(),
                        configuration.recipeInFolder(),
                        configuration.stages());
        List<Trained> whole = all.stream().filter(Trained::isWhole).toList();
        String failure = all.stream()
                .filter(trained -> !trained.isWhole())
                .map(trained -> " seed %d: %s"
                        .formatted(trained.run(), trained.failure().replace('|', '/')))
                .findFirst()
                .orElse("");
        if (whole.isEmpty()) {
            return name + " 0 of %d | | | | | |%s |".formatted(all.size(), failure);
        }
        double peak = Values.of(whole, Trained::peakMiB).most();
        double bubble = Values.of(whole, Trained::bubble).median();
        Values figures = Values.of(whole, Trained::figure);
        Measure measure = whole.get(0).measure();
        return name
                + String.format(
                        Locale.ROOT,
                        " %d of %d | %s | %s to %s | %,.0f | %s | %s | %s%s |",
                        whole.size(),
                        all.size(),
                        measure.text(figures.median()),
                        measure.number(figures.least()),
                        measure.number(figures.most()),
                        Values.of(whole, Trained::samplesPerSecond).median(),
                        bubble < 0 ? "" : String.format(Locale.ROOT, "%.1f%%", 100 * bubble),
                        peak > 0 ? String.format(Locale.ROOT, "%,.0f", peak) : "",
                        staleness(whole),
                        failure);
    }

    private static String staleness(List<Trained> whole) {
        int stages =
                whole.stream().mapToInt(run -> run.staleness().size()).min().orElse(0);
        return IntStream.range(0, stages)
                .mapToObj(stage -> String.format(
                        Locale.ROOT,
                        "%.2f",
                        Values.of(whole, run -> run.staleness().get(stage)).median()))
                .collect(Collectors.joining(", "));
    }
}

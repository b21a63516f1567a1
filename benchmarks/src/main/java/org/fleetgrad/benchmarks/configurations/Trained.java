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
 * @param bubble    share of the stages' time in which they did nothing; -1 if there are no stages
 * @param staleness mean of each stage, in steps; empty if there are no stages
 */
record Trained(
        String row,
        int run,
        String failure,
        double accuracy,
        double samplesPerSecond,
        double bubble,
        List<Double> staleness)
        implements ResultFile.Entry {

    Trained {
        staleness = List.copyOf(staleness);
    }

    static Trained failed(String row, int seed, String failure) {
        return new Trained(row, seed, failure, 0, 0, -1, List.of());
    }

    boolean isWhole() {
        return failure.isEmpty();
    }

    @Override
    public String outcome() {
        return "%s, seed %d: %s"
                .formatted(row, run, isWhole() ? String.format(Locale.ROOT, "%.2f%%", 100 * accuracy) : failure);
    }

    /** Returns the table of the configurations that were trained, in Markdown: medians over the seeds. */
    static String table(List<Configuration> configurations, ResultFile<Trained> results) {
        return results.table("""
                | dataset | network | recipe | stages | seeds | accuracy | from, to | samples/s | bubble | staleness of each stage |
                |---|---|---|---:|---:|---:|---:|---:|---:|---|
                """, configurations, Configuration::name, Trained::line);
    }

    private static String line(Configuration configuration, List<Trained> all) {
        String name = "| %s | %s | `%s` | %d |"
                .formatted(
                        configuration.dataset(),
                        configuration.network(),
                        configuration.recipe(),
                        configuration.stages());
        List<Trained> whole = all.stream().filter(Trained::isWhole).toList();
        String failure = all.stream()
                .filter(trained -> !trained.isWhole())
                .map(trained -> " seed %d: %s"
                        .formatted(trained.run(), trained.failure().replace('|', '/')))
                .findFirst()
                .orElse("");
        if (whole.isEmpty()) {
            return name + " 0 of %d | | | | |%s |".formatted(all.size(), failure);
        }
        double bubble = Values.of(whole, Trained::bubble).median();
        Values accuracy = Values.of(whole, Trained::accuracy);
        return name
                + String.format(
                        Locale.ROOT,
                        " %d of %d | %.2f%% | %.2f to %.2f | %,.0f | %s | %s%s |",
                        whole.size(),
                        all.size(),
                        100 * accuracy.median(),
                        100 * accuracy.least(),
                        100 * accuracy.most(),
                        Values.of(whole, Trained::samplesPerSecond).median(),
                        bubble < 0 ? "" : String.format(Locale.ROOT, "%.1f%%", 100 * bubble),
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

package org.fleetgrad.benchmarks.configurations;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.benchmarks.figures.Values;
import org.fleetgrad.benchmarks.page.MarkedPart;

/** The table in Markdown. */
final class Page {

    static final MarkedPart TABLE = new MarkedPart(
            "<!-- configurations: begin; ./fleetgrad bench pipeline-table writes this -->",
            "<!-- configurations: end -->");

    private Page() {}

    /** Writes the table of the configurations that were trained: medians over the seeds. */
    static String table(List<Configuration> configurations, TrainedRuns runs) {
        StringBuilder table = new StringBuilder("""
                | dataset | network | recipe | stages | seeds | accuracy | from, to | samples/s | bubble | staleness of each stage |
                |---|---|---|---:|---:|---:|---:|---:|---:|---|
                """);
        for (Configuration configuration : configurations) {
            List<Trained> all = runs.of(configuration);
            if (!all.isEmpty()) {
                table.append(row(configuration, all)).append('\n');
            }
        }
        return table.toString();
    }

    private static String row(Configuration configuration, List<Trained> all) {
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
                        .formatted(trained.seed(), trained.failure().replace('|', '/')))
                .findFirst()
                .orElse("");
        if (whole.isEmpty()) {
            return name + " 0 of %d | | | | |%s |".formatted(all.size(), failure);
        }
        double bubble = median(whole, Trained::bubble);
        return name
                + String.format(
                        Locale.ROOT,
                        " %d of %d | %.2f%% | %.2f to %.2f | %,.0f | %s | %s%s |",
                        whole.size(),
                        all.size(),
                        100 * median(whole, Trained::accuracy),
                        100
                                * whole.stream()
                                        .mapToDouble(Trained::accuracy)
                                        .min()
                                        .orElseThrow(),
                        100
                                * whole.stream()
                                        .mapToDouble(Trained::accuracy)
                                        .max()
                                        .orElseThrow(),
                        median(whole, Trained::samplesPerSecond),
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
                        median(whole, run -> run.staleness().get(stage))))
                .collect(Collectors.joining(", "));
    }

    private static double median(List<Trained> runs, ToDoubleFunction<Trained> figure) {
        return Values.of(runs.stream().mapToDouble(figure).toArray()).median();
    }
}

package org.fleetgrad.benchmarks.serving;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The results as tables in Markdown. */
final class ServingTables {

    private ServingTables() {}

    static String places(Places places) {
        String head = """
                | place | policy | clients | training, samples/s | of its speed alone | answers/s | p50, ms | p99, ms | told to retry | right answers | versions | same bits |
                |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|
                """;
        String line = "| %s | %s | %d | %,.0f | %.2f | %,.0f | %s | %s | %s | %s | %,d | %s |";
        return head
                + rows(line, places.figures(), figure -> new Object[] {
                    figure.place(),
                    figure.policy(),
                    figure.clients(),
                    figure.samplesPerSecond(),
                    figure.kept(),
                    figure.answersPerSecond(),
                    milliseconds(figure.p50Ms()),
                    milliseconds(figure.p99Ms()),
                    percent(figure.requests() == 0 ? 0 : (double) figure.failed() / figure.requests()),
                    percent(figure.accuracy()),
                    figure.versions(),
                    figure.isSameTraining() ? "yes" : "no"
                });
    }

    static String votes(List<Places.Votes> votes) {
        String head = """
                | versions between the two workers | images | on which they disagreed |
                |---:|---:|---:|
                """;
        return head
                + rows(
                        "| %d | %,d | %s |",
                        votes, vote -> new Object[] {
                            vote.gap(), vote.images(), percent((double) vote.disagreed() / vote.images())
                        });
    }

    static String gaps(List<GapExperiment.Figure> gaps) {
        String head = """
                | batches of a version | versions apart | samples apart | disagreement, mean | largest of the pairs | pairs | right answers of the newer |
                |---:|---:|---:|---:|---:|---:|---:|
                """;
        return head
                + rows(
                        "| %d | %d | %,d | %s | %s | %d | %s |",
                        gaps, gap -> new Object[] {
                            gap.interval(),
                            gap.gap(),
                            gap.samplesApart(),
                            percent(gap.mean()),
                            percent(gap.most()),
                            gap.pairs(),
                            percent(gap.accuracy())
                        });
    }

    static String torn(List<TornExperiment.Figure> torn) {
        String head = """
                | network | images of a request | steps/s | answers | a load came between | torn | torn, share | torn with another class |
                |---|---:|---:|---:|---:|---:|---:|---:|
                """;
        return head
                + rows(
                        "| %s | %d | %,.0f | %,d | %s | %,d | %s | %,d |",
                        torn, figure -> new Object[] {
                            figure.network(),
                            figure.images(),
                            figure.stepsPerSecond(),
                            figure.answers(),
                            percent(figure.overlappedShare()),
                            figure.torn(),
                            percent(figure.tornShare()),
                            figure.ofNoClass()
                        });
    }

    private static <T> String rows(String line, List<T> figures, Function<T, Object[]> cells) {
        return figures.stream()
                .map(figure -> String.format(Locale.ROOT, line, cells.apply(figure)))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String milliseconds(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }
}

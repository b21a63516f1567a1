package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.fleetgrad.protocol.NetworkTitle;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Runs side by side.
 *
 * @param runs     in the user's order
 * @param settings those that differ, by name: what each run has, empty if it has none
 * @param results  likewise, all of them
 * @param curves   by name: what each run has over the training samples; a curve that no run has is left out
 */
public record RunComparison(
        List<KeptRun> runs,
        Map<String, List<String>> settings,
        Map<String, List<String>> results,
        Map<RunCurve, List<List<Point>>> curves) {

    /** More would not be told apart. */
    public static final int MOST = 8;

    private static final String TABLE = "curves.csv";
    private static final String SAMPLES = "train/samples";

    /**
     * A curve that runs have.
     *
     * @param column  of {@code curves.csv}
     * @param title   for people
     * @param isShare whether its values are from 0 to 1
     */
    public record RunCurve(String column, String title, boolean isShare) {}

    /**
     * Compares runs.
     *
     * @throws RunFailedException if there are not from 2 to {@value #MOST} of them, or curves cannot be read
     */
    public static RunComparison of(List<KeptRun> runs) throws RunFailedException {
        Set<KeptRun> distinct = new LinkedHashSet<>(runs);
        if (distinct.size() < 2 || distinct.size() > MOST) {
            throw RunFailedException.input(
                    "from 2 to %d different runs can be compared; these are %d".formatted(MOST, distinct.size()));
        }
        List<KeptRun> compared = List.copyOf(distinct);
        return new RunComparison(compared, settings(compared), results(compared), curves(compared));
    }

    private static Map<String, List<String>> settings(List<KeptRun> runs) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put("command", each(runs, run -> run.facts().command()));
        all.put("network", each(runs, run -> NetworkTitle.of(run.facts().network())));
        all.put("dataset", each(runs, run -> run.facts().dataset()));
        runs.forEach(run -> run.facts()
                .settings()
                .keySet()
                .forEach(name -> all.put(
                        name, each(runs, other -> other.facts().settings().getOrDefault(name, "")))));
        all.values().removeIf(values -> values.stream().distinct().count() == 1);
        return all;
    }

    private static Map<String, List<String>> results(List<KeptRun> runs) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put("state", each(runs, run -> run.state().toString()));
        all.put(
                "best held-out",
                each(runs, run -> run.facts().best().map(Measure::text).orElse("")));
        runs.forEach(run -> run.facts()
                .figures()
                .keySet()
                .forEach(name -> all.put(
                        name, each(runs, other -> figure(other.facts().figures().get(name))))));
        // Paths say nothing about how good a run is, and a long digest only whether two models are the same.
        all.keySet().removeAll(Set.of("modelPath", "pagePath"));
        all.computeIfPresent(
                "tensorsSha256",
                (name, digests) -> digests.stream()
                        .map(digest -> digest.substring(0, Math.min(12, digest.length())))
                        .toList());
        return all;
    }

    private static String figure(@Nullable Object value) {
        if (value instanceof Double number) {
            return String.format(Locale.ROOT, Math.abs(number) >= 1000 ? "%,.0f" : "%.4f", number);
        }
        return value instanceof Long number
                ? String.format(Locale.ROOT, "%,d", number)
                : value == null ? "" : value.toString();
    }

    private static List<String> each(List<KeptRun> runs, Function<KeptRun, String> value) {
        return runs.stream().map(value).toList();
    }

    private static Map<RunCurve, List<List<Point>>> curves(List<KeptRun> runs) throws RunFailedException {
        Optional<MeasureKind> kind = runs.stream()
                .flatMap(run -> run.facts().best().stream())
                .map(Measure::kind)
                .findFirst();
        List<RunCurve> wanted = new ArrayList<>();
        kind.ifPresent(measure -> wanted.add(
                new RunCurve(measure.curve(), "held-out " + measure.word(), measure == MeasureKind.ACCURACY)));
        wanted.add(new RunCurve("train/loss", "training loss", false));
        Map<RunCurve, List<List<Point>>> curves = new LinkedHashMap<>();
        wanted.forEach(curve -> curves.put(curve, new ArrayList<>()));
        for (KeptRun run : runs) {
            try {
                Map<String, List<Point>> read = CurveReading.read(
                        run.folder(),
                        TABLE,
                        SAMPLES,
                        wanted.stream().map(RunCurve::column).toList());
                curves.forEach((curve, of) -> of.add(read.getOrDefault(curve.column(), List.of())));
            } catch (IOException unreadable) {
                throw RunFailedException.input(
                        "the curves of %s cannot be read: %s".formatted(run.title(), unreadable));
            }
        }
        curves.values().removeIf(of -> of.stream().allMatch(List::isEmpty));
        return curves;
    }
}

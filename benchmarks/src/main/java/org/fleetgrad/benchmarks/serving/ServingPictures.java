package org.fleetgrad.benchmarks.serving;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.fleetgrad.reports.chart.Axis;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.Chart.Panel;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Chart.Series;

/** The results as pictures, by the name of their file. */
final class ServingPictures {

    private static final String REPLICA = "replica";
    private static final String ENSEMBLE = "ensemble";
    private static final String LATEST = "latest";
    private static final String CLIENTS = "clients, each of which sends its next request at once";
    /** On a logarithmic axis, 0 has no place. */
    private static final double LEAST_MS = 0.01;

    private ServingPictures() {}

    static Map<String, Chart> of(ServingResults results) {
        Map<String, Chart> pictures = new LinkedHashMap<>();
        results.places().ifPresent(places -> {
            pictures.put("places", places(places.figures()));
            pictures.put("policies", policies(places.figures()));
        });
        if (!results.gaps().isEmpty()) {
            pictures.put("disagreement", gaps(results.gaps()));
        }
        return pictures;
    }

    /** A panel has four lines: the ensemble, which has two workers, is left to the table. */
    private static Chart places(List<Places.Figure> figures) {
        Predicate<Places.Figure> shown = figure -> !figure.place().equals(ENSEMBLE)
                && (figure.policy().isEmpty() || figure.policy().equals(LATEST));
        return new Chart(
                "Training and answering on one machine, by place",
                "one worker trains; a replica follows the newest version; closed loop",
                Axis.linear(CLIENTS),
                List.of(),
                List.of(
                        new Panel(
                                Axis.percent("training speed kept"),
                                series(figures, shown, Places.Figure::place, figure -> Math.min(1, figure.kept()))),
                        new Panel(
                                Axis.log("p50 in ms"),
                                series(
                                        figures,
                                        shown,
                                        Places.Figure::place,
                                        figure -> Math.max(LEAST_MS, figure.p50Ms()))),
                        new Panel(
                                Axis.log("p99 in ms"),
                                series(
                                        figures,
                                        shown,
                                        Places.Figure::place,
                                        figure -> Math.max(LEAST_MS, figure.p99Ms())))));
    }

    private static Chart policies(List<Places.Figure> figures) {
        Predicate<Places.Figure> shown = figure -> figure.place().equals(REPLICA);
        return new Chart(
                "A replica's right answers, by policy",
                "more clients come as the training goes on",
                Axis.linear(CLIENTS),
                List.of(),
                List.of(new Panel(
                        Axis.percent("right answers"),
                        series(figures, shown, Places.Figure::policy, Places.Figure::accuracy))));
    }

    private static List<Series> series(
            List<Places.Figure> figures,
            Predicate<Places.Figure> shown,
            Function<Places.Figure, String> name,
            ToDoubleFunction<Places.Figure> value) {
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        figures.stream()
                .filter(shown)
                .forEach(figure -> lines.computeIfAbsent(name.apply(figure), unused -> new ArrayList<>())
                        .add(new Point(figure.clients(), value.applyAsDouble(figure))));
        return lines(lines);
    }

    private static Chart gaps(List<GapExperiment.Figure> figures) {
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        for (GapExperiment.Figure figure : figures) {
            lines.computeIfAbsent("%d batches a version".formatted(figure.interval()), unused -> new ArrayList<>())
                    .add(new Point(figure.gap(), figure.mean()));
        }
        return new Chart(
                "Disagreement of two workers",
                "share of held-out images on which they name different classes",
                Axis.linear("versions that one worker is behind"),
                List.of(),
                List.of(new Panel(Axis.linear("share of images"), lines(lines))));
    }

    private static List<Series> lines(Map<String, List<Point>> lines) {
        return lines.entrySet().stream()
                .map(line -> new Series(line.getKey(), line.getValue()))
                .toList();
    }
}

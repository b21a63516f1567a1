package org.fleetgrad.benchmarks.serving;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.fleetgrad.reports.chart.Axis;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.Chart.Panel;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Chart.Series;

/** The results as pictures, by the name of their file. */
final class ServingPictures {

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
        List<Places.Figure> shown = figures.stream()
                .filter(figure -> !figure.place().equals("ensemble"))
                .filter(figure -> figure.policy().isEmpty() || figure.policy().equals("latest"))
                .toList();
        Function<Places.Figure, String> place = Places.Figure::place;
        return new Chart(
                "Training and answering on one machine, by place",
                "one worker trains; a replica follows the newest version; closed loop",
                Axis.linear(CLIENTS),
                List.of(),
                List.of(
                        panel(Axis.percent("training speed kept"), shown, place, it -> at(it, Math.min(1, it.kept()))),
                        panel(Axis.log("p50 in ms"), shown, place, it -> at(it, Math.max(LEAST_MS, it.p50Ms()))),
                        panel(Axis.log("p99 in ms"), shown, place, it -> at(it, Math.max(LEAST_MS, it.p99Ms())))));
    }

    private static Chart policies(List<Places.Figure> figures) {
        List<Places.Figure> shown = figures.stream()
                .filter(figure -> figure.place().equals("replica"))
                .toList();
        return new Chart(
                "A replica's right answers, by policy",
                "more clients come as the training goes on",
                Axis.linear(CLIENTS),
                List.of(),
                List.of(panel(
                        Axis.percent("right answers"), shown, Places.Figure::policy, it -> at(it, it.accuracy()))));
    }

    private static Point at(Places.Figure figure, double y) {
        return new Point(figure.clients(), y);
    }

    private static Chart gaps(List<GapExperiment.Figure> figures) {
        return new Chart(
                "Disagreement of two workers",
                "share of held-out images on which they name different classes",
                Axis.linear("versions that one worker is behind"),
                List.of(),
                List.of(panel(
                        Axis.linear("share of images"),
                        figures,
                        it -> "%d batches a version".formatted(it.interval()),
                        it -> new Point(it.gap(), it.mean()))));
    }

    /** Draws a line for each name. */
    private static <T> Panel panel(Axis axis, List<T> figures, Function<T, String> name, Function<T, Point> point) {
        Map<String, List<Point>> lines = figures.stream()
                .collect(Collectors.groupingBy(
                        name, LinkedHashMap::new, Collectors.mapping(point, Collectors.toList())));
        return new Panel(
                axis,
                lines.entrySet().stream()
                        .map(line -> new Series(line.getKey(), line.getValue()))
                        .toList());
    }
}

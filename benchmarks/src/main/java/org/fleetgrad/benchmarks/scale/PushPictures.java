package org.fleetgrad.benchmarks.scale;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.fleetgrad.reports.chart.Axis;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.Chart.Panel;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Chart.Series;

/** The costs as pictures, by the name of their file. */
final class PushPictures {

    private PushPictures() {}

    static Map<String, Chart> of(List<PushPoint> byWorkers, List<PushPoint> byParameters) {
        Map<String, Chart> pictures = new LinkedHashMap<>();
        pictures.put(
                "push-cost-workers",
                new Chart(
                        "A push-and-pull by the number of workers",
                        "LeNet-5, 61,706 parameters; each worker sends its next gradient at once",
                        Axis.log("workers"),
                        List.of(),
                        List.of(
                                new Panel(
                                        Axis.log("ms a push"),
                                        List.of(
                                                line("round trip, mean", byWorkers, PushPoint::roundTripMs),
                                                line("the server's processors", byWorkers, PushPoint::processorMs))),
                                new Panel(
                                        Axis.linear("pushes a second"),
                                        List.of(line("all workers together", byWorkers, PushPoint::perSecond))))));
        pictures.put(
                "push-cost-parameters",
                new Chart(
                        "A push-and-pull by the number of parameters",
                        "one worker, float32, SGD with momentum",
                        Axis.log("parameters"),
                        List.of(),
                        List.of(
                                new Panel(
                                        Axis.log("ms a push"),
                                        List.of(
                                                line("round trip, median", byParameters, PushPoint::roundTripMs),
                                                line("the server's processors", byParameters, PushPoint::processorMs),
                                                line(
                                                        "loopback TCP, the same bytes",
                                                        byParameters,
                                                        PushPoint::otherMs))),
                                new Panel(
                                        Axis.linear("ns a parameter"),
                                        List.of(
                                                line("round trip, median", byParameters, PushPictures::nanosOfEach),
                                                line(
                                                        "loopback TCP, the same bytes",
                                                        byParameters,
                                                        point -> nanosOfEach(point, point.otherMs())))))));
        return pictures;
    }

    private static double nanosOfEach(PushPoint point) {
        return nanosOfEach(point, point.roundTripMs());
    }

    private static double nanosOfEach(PushPoint point, double millis) {
        return millis * 1e6 / point.count();
    }

    private static Series line(String name, List<PushPoint> points, ToDoubleFunction<PushPoint> y) {
        return new Series(
                name,
                points.stream()
                        .map(point -> new Point(point.count(), y.applyAsDouble(point)))
                        .toList());
    }
}

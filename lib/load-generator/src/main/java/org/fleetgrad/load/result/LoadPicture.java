package org.fleetgrad.load.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.fleetgrad.load.result.LoadResult.CoursePoint;
import org.fleetgrad.reports.chart.Axis;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.Chart.Mark;
import org.fleetgrad.reports.chart.Chart.Panel;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Chart.Series;

/** Draws a result: accuracy above latency, over the same time. */
public final class LoadPicture {

    private LoadPicture() {}

    /** Returns the picture; empty axes if there was no response. */
    public static Chart of(LoadResult result) {
        return new Chart(
                "Accuracy and latency of %,d requests".formatted(result.all().requests()),
                subtitle(result),
                Axis.linear("seconds since the beginning"),
                marks(result),
                List.of(
                        new Panel(
                                Axis.percent("accuracy"),
                                List.of(
                                        new Series(
                                                "accuracy of the predictions", points(result, CoursePoint::accuracy)),
                                        new Series("from (95%)", points(result, CoursePoint::low)),
                                        new Series("to (95%)", points(result, CoursePoint::high)))),
                        new Panel(
                                Axis.log("latency in ms"),
                                List.of(
                                        new Series("p50", points(result, CoursePoint::p50Ms)),
                                        new Series("p99", points(result, CoursePoint::p99Ms))))));
    }

    private static String subtitle(LoadResult result) {
        LoadFigures all = result.all();
        return String.format(
                Locale.ROOT,
                "%,.0f responses/s, p50 %.2f ms, p99 %.2f ms, %,d failed, %,d versions; a point has %d images or more",
                all.perSecond(),
                all.p50Ms(),
                all.p99Ms(),
                all.failed(),
                all.versionsSeen(),
                TimeCourse.LEAST_IMAGES);
    }

    /** A ramp's phases differ in their clients; a single phase needs no mark. */
    private static List<Mark> marks(LoadResult result) {
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < result.phases().size() && result.phases().size() > 1; i++) {
            int clients = result.phases().get(i).clients();
            marks.add(new Mark(result.phaseBegins().get(i), "%d client%s".formatted(clients, clients == 1 ? "" : "s")));
        }
        return marks;
    }

    private static List<Point> points(LoadResult result, ToDoubleFunction<CoursePoint> value) {
        return result.course().stream()
                .filter(point -> point.answered() > 0)
                .map(point -> new Point(point.seconds(), value.applyAsDouble(point)))
                .toList();
    }
}

package org.fleetgrad.simulation.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.reports.chart.Axis;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.Chart.Panel;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Chart.Series;

/** The picture of docs/scale.md: where a fleet's speed bends. */
record ScalePicture(ScaleTable table) {

    private static final int GIGABITS = 10;
    private static final List<Integer> WORKERS = List.of(1, 2, 4, 8, 16, 32);

    /** What a line is drawn of. */
    private record Line(int servers, String encoding) {}

    Chart draw() {
        return new Chart(
                "Efficiency by the number of workers",
                "%s; links of %d Gbit/s; simulated".formatted(table.network().title(), GIGABITS),
                Axis.log("workers"),
                List.of(),
                List.of(
                        panel("async: speed kept", new TrainingMode.Async(1)),
                        panel("sync: speed kept", new TrainingMode.Sync(0))));
    }

    private Panel panel(String title, TrainingMode mode) {
        List<Series> series = Stream.of(new Line(1, "f32"), new Line(1, "i8"), new Line(8, "f32"), new Line(8, "i8"))
                .map(line -> line(line, mode))
                .toList();
        return new Panel(Axis.percent(title), series);
    }

    private Series line(Line line, TrainingMode mode) {
        List<Point> points = new ArrayList<>();
        FleetPlan plan = table.plan(GIGABITS, line.servers(), mode, line.encoding());
        FleetSpeed alone = Fleet.run(plan.of(1));
        for (int workers : WORKERS) {
            points.add(new Point(workers, Fleet.run(plan.of(workers)).efficiency(alone)));
        }
        return new Series(
                "%d servers, %s".formatted(line.servers(), line.encoding()).replace("1 servers", "1 server"), points);
    }
}

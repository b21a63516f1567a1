package org.fleetgrad.cli.runs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.cli.display.TextPlot;
import org.fleetgrad.cli.display.TextTable;
import org.fleetgrad.reports.ComparisonPage;
import org.fleetgrad.reports.chart.Axis;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.Chart.Panel;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Chart.Series;
import org.fleetgrad.runs.kept.RunComparison;
import org.fleetgrad.runs.kept.RunComparison.RunCurve;

/** Draws a comparison as a page. */
final class ComparisonCharts {

    /** A panel has no more lines. */
    private static final int MOST = 4;

    private static final int LONGEST = 24;

    private ComparisonCharts() {}

    static String page(RunComparison comparison) {
        List<String> titles = new ArrayList<>();
        for (int i = 0; i < comparison.runs().size(); i++) {
            titles.add("%c %s"
                    .formatted(TextPlot.letter(i), comparison.runs().get(i).title()));
        }
        return ComparisonPage.write(titles, comparison.settings(), comparison.results(), chart(comparison, titles));
    }

    private static Optional<Chart> chart(RunComparison comparison, List<String> titles) {
        List<Panel> panels = new ArrayList<>();
        comparison.curves().forEach((curve, points) -> {
            for (int from = 0; from < points.size(); from += MOST) {
                panels.add(panel(curve, points, titles, from));
            }
        });
        return panels.isEmpty()
                ? Optional.empty()
                : Optional.of(new Chart(
                        "Curves", "over the training samples", Axis.linear("training samples"), List.of(), panels));
    }

    private static Panel panel(RunCurve curve, List<List<Point>> points, List<String> titles, int from) {
        List<Series> series = new ArrayList<>();
        for (int i = from; i < Math.min(points.size(), from + MOST); i++) {
            series.add(new Series(TextTable.cut(titles.get(i), LONGEST), points.get(i)));
        }
        return new Panel(curve.isShare() ? Axis.percent(curve.title()) : Axis.linear(curve.title()), series);
    }
}

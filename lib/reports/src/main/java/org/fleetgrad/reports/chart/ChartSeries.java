package org.fleetgrad.reports.chart;

import java.util.List;

/**
 * One line of a chart.
 *
 * @param name   what the legend says
 * @param points in the order of x; may be empty
 */
public record ChartSeries(String name, List<Point> points) {

    /** Copies the points. */
    public ChartSeries {
        points = List.copyOf(points);
    }
}

package org.fleetgrad.reports.chart;

import java.util.List;

/**
 * One plot of a chart.
 *
 * @param y      its vertical axis
 * @param series its lines, at most as many as there are {@link Tone}s
 */
public record Panel(Axis y, List<ChartSeries> series) {

    /** Checks that each line gets a colour of its own. */
    public Panel {
        series = List.copyOf(series);
        if (series.size() > Tone.ALL.size()) {
            throw new IllegalArgumentException(
                    "a panel may have %d lines; it has %d".formatted(Tone.ALL.size(), series.size()));
        }
    }
}

package org.fleetgrad.reports.chart;

import java.util.List;

/**
 * A picture of one or more panels, one below the other, over the same horizontal axis.
 *
 * @param title    what it shows
 * @param subtitle the numbers that belong to it
 * @param x        the horizontal axis
 * @param marks    beginnings on the horizontal axis
 * @param panels   one or more
 */
public record Chart(String title, String subtitle, Axis x, List<Mark> marks, List<Panel> panels) {

    /** Checks that there is something to draw. */
    public Chart {
        marks = List.copyOf(marks);
        panels = List.copyOf(panels);
        if (panels.isEmpty()) {
            throw new IllegalArgumentException("a chart must have 1 panel or more; '%s' has none".formatted(title));
        }
    }
}

package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.text;

/** A part of a page that is wider than a phone: it is scrolled by itself, also with the keys, and stays readable. */
final class ScrolledPart {

    private ScrolledPart() {}

    /**
     * Wraps a part.
     *
     * @param name of the part, for a screen reader
     */
    static String of(String part, String name) {
        return "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + text(name) + "\">" + part
                + "</div>";
    }
}

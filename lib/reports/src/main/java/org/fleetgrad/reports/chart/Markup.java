package org.fleetgrad.reports.chart;

import java.util.Locale;

/** Formats text for pages and pictures. */
public final class Markup {

    private Markup() {}

    /** Escapes text: names and messages come from other programs. */
    public static String text(Object shown) {
        return String.valueOf(shown)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Formats figures, the same in every country. */
    public static String format(String format, Object... figures) {
        return String.format(Locale.ROOT, format, figures);
    }
}

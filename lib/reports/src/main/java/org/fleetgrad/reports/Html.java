package org.fleetgrad.reports;

import java.util.Locale;

/** Formats text for an HTML page. */
final class Html {

    private Html() {}

    /** Escapes text: names and messages come from other programs. */
    static String text(Object shown) {
        return String.valueOf(shown)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    static String format(String format, Object... figures) {
        return String.format(Locale.ROOT, format, figures);
    }
}

package org.fleetgrad.cli.report;

import java.util.Locale;

/** Text of a page. */
final class Html {

    private Html() {}

    /** Escapes what a page shows: names and messages come from elsewhere. */
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

package org.fleetgrad.benchmarks.configurations;

import java.util.Locale;

/** What a run is judged by on held-out samples. */
enum Measure {
    ACCURACY("accuracy", "accuracy", 100, "%.2f", "%"),
    LOSS("loss", "heldOutLoss", 1, "%.3f", "");

    private final String column;
    private final String member;

    private final double scale;
    private final String format;
    private final String unit;

    Measure(String column, String member, double scale, String format, String unit) {
        this.column = column;
        this.member = member;
        this.scale = scale;
        this.format = format;
        this.unit = unit;
    }

    /** Returns the heading of its column. */
    String column() {
        return column;
    }

    /** Returns the name of its member in the result of a run. */
    String member() {
        return member;
    }

    /** Returns a figure as text, without its unit. */
    String number(double figure) {
        return String.format(Locale.ROOT, format, scale * figure);
    }

    /** Returns a figure as text. */
    String text(double figure) {
        return number(figure) + unit;
    }
}

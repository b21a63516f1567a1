package org.fleetgrad.reports.chart;

import java.util.List;

/**
 * The colours of lines, each for paper and for a dark page, and a dash pattern that distinguishes the lines without colour.
 * The colours are from Okabe and Ito's palette for all kinds of colour vision (https://jfly.uni-koeln.de/color/), some
 * darker for contrast on white.
 */
enum Tone {
    BLUE("#0072b2", "#56b4e9", ""),
    ORANGE("#c14a00", "#e69f00", "7 4"),
    GREEN("#00785a", "#2fc99a", "2 3"),
    PURPLE("#a2447c", "#e09ac2", "10 3 2 3");

    /** In the order in which lines get them. */
    static final List<Tone> ALL = List.of(values());

    private final String light;
    private final String dark;
    private final String dashes;

    Tone(String light, String dark, String dashes) {
        this.light = light;
        this.dark = dark;
        this.dashes = dashes;
    }

    String light() {
        return light;
    }

    String dark() {
        return dark;
    }

    /** Lengths of line and gap in turn; empty for a line without gaps. */
    String dashes() {
        return dashes;
    }
}

package org.fleetgrad.simulation.scale;

/** What keeps workers waiting. */
enum Limit {
    /** A server's link. */
    LINK("L"),
    /** A server's processors. */
    PROCESSORS("P"),
    /** The one place of a server where a gradient becomes a step. */
    APPLIER("A"),
    /** Nothing for long: workers wait for one another, in synchronous training or where their messages meet. */
    OTHERS("O");

    private final String letter;

    Limit(String letter) {
        this.letter = letter;
    }

    String letter() {
        return letter;
    }
}

package org.fleetgrad.simulation.scale;

/** What keeps workers waiting. */
enum Limit {
    /** A server's link. */
    LINK("L"),
    /** A server's processors. */
    PROCESSORS("P"),
    /** The one place of a server where a gradient becomes a step. */
    APPLIER("A"),
    /** Nothing of the servers: the worker's own exchange. */
    EXCHANGE("E");

    private final String letter;

    Limit(String letter) {
        this.letter = letter;
    }

    String letter() {
        return letter;
    }
}

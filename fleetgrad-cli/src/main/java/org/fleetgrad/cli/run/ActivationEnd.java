package org.fleetgrad.cli.run;

import tools.jackson.databind.JsonNode;

/** How one activation ended. */
sealed interface ActivationEnd {

    /** Tells whether its container was made for it. */
    boolean isCold();

    /** Returns how long it took, from its initialization where it was cold. */
    double seconds();

    /** The action answered. */
    record Answered(JsonNode answer, boolean isCold, double seconds) implements ActivationEnd {}

    /**
     * The action said that it failed.
     *
     * @param isFinal whether another try would meet the same
     */
    record Failed(String message, boolean isFinal, boolean isCold, double seconds) implements ActivationEnd {}

    /** Its container is gone: killed when its time was over, for its memory, or by somebody. */
    record Killed(String why, boolean isCold, double seconds) implements ActivationEnd {}
}

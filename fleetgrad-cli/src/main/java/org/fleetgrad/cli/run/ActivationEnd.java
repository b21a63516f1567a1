package org.fleetgrad.cli.run;

import java.util.Set;
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
    record Failed(String message, boolean isFinal, boolean isCold, double seconds) implements ActivationEnd {

        /** What a worker says of its input, which stays wrong: bad parameters, keys, shards, a diverged model. */
        private static final Set<Integer> FINAL = Set.of(400, 401, 403, 404, 422);

        /** Tells whether the {@code code} of a worker's answer is one that another try would meet again. */
        static boolean isFinal(JsonNode answer) {
            return FINAL.contains(answer.path("code").asInt(0));
        }
    }

    /** Its container is gone: killed when its time was over, for its memory, or by somebody. */
    record Killed(String why, boolean isCold, double seconds) implements ActivationEnd {}
}

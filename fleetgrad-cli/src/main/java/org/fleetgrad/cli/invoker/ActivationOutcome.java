package org.fleetgrad.cli.invoker;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/** How one activation ended. */
public sealed interface ActivationOutcome {

    /** Returns what is known of it however it ended. */
    Course course();

    /**
     * What is known of an activation however it ended.
     *
     * @param id      the platform's id of it; empty where it has none
     * @param isCold  whether its container was made for it
     * @param seconds how long it took, from its initialization where it was cold
     */
    record Course(String id, boolean isCold, double seconds) {}

    /** The action answered. */
    record Answered(JsonNode answer, Course course) implements ActivationOutcome {}

    /**
     * The action said that it failed.
     *
     * @param isFinal whether another try would meet the same
     */
    record Failed(String message, boolean isFinal, Course course) implements ActivationOutcome {

        /** What stays wrong: bad parameters, refused keys, damaged shards, a diverged model. A store may come back. */
        private static final Set<Integer> FINAL = Set.of(400, 401, 403, 422);

        /** Tells whether the {@code code} of a worker's answer is one that another try would meet again. */
        static boolean isFinal(JsonNode answer) {
            return FINAL.contains(answer.path("code").asInt(0));
        }
    }

    /** Its container is gone: killed when its time was over, for its memory, or by somebody. */
    record Killed(String why, Course course) implements ActivationOutcome {}
}

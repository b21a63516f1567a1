package org.fleetgrad.runs.invoker;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The outcome of one activation. */
public sealed interface ActivationOutcome {

    /** Returns the facts that every outcome has. */
    Course course();

    /**
     * The facts that every outcome has.
     *
     * @param id      the platform's id of the activation; empty if it has none
     * @param isCold  whether its container was created for it
     * @param seconds duration, including the initialization of a cold activation
     * @param earlier estimated seconds of an earlier try of the same activation, of which the platform has no record; 0 if
     *     there was none
     */
    record Course(String id, boolean isCold, double seconds, double earlier) {

        /** An activation that ran once. */
        public Course(String id, boolean isCold, double seconds) {
            this(id, isCold, seconds, 0);
        }
    }

    /** The action answered. */
    record Answered(JsonNode answer, Course course) implements ActivationOutcome {}

    /**
     * The action answered that it failed.
     *
     * @param isFinal whether another try would fail in the same way
     */
    record Failed(String message, boolean isFinal, Course course) implements ActivationOutcome {

        /** Codes of permanent failures: bad parameters, rejected keys, damaged shards, a diverged model. */
        private static final Set<Integer> FINAL = Set.of(400, 401, 403, 422);

        /** Returns whether another try would get the same {@code code} as this response of a worker. */
        static boolean isFinal(JsonNode answer) {
            return FINAL.contains(answer.path("code").asInt(0));
        }
    }

    /** Its container is gone: killed after the time limit, for its memory, or by someone else. */
    record Killed(String why, Course course) implements ActivationOutcome {}
}

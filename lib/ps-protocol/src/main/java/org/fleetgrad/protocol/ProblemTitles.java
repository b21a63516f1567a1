package org.fleetgrad.protocol;

import static java.util.Map.entry;

import java.util.Map;

/** The title of each rule of {@link ProblemRules}: one {@code type} has one title in all services. */
public final class ProblemTitles {

    private static final Map<String, String> TITLES = Map.ofEntries(
            entry(ProblemRules.MALFORMED, "The request is malformed"),
            entry(ProblemRules.INVALID_PARAMETER, "A parameter of the request is invalid"),
            entry(ProblemRules.UNSUPPORTED_ENCODING, "The server does not take this encoding"),
            entry(ProblemRules.INVALID_ENCODING, "The tensors are not what their encoding writes"),
            entry(ProblemRules.LAYOUT_MISMATCH, "The tensors are not those of the parameter set"),
            entry(ProblemRules.GRADIENT_NORM, "The gradient is too long"),
            entry(ProblemRules.NOT_FINITE, "A tensor holds a value that is not finite, or too large"),
            entry(ProblemRules.TOO_LARGE, "The body is too large"),
            entry(ProblemRules.LENGTH_REQUIRED, "The body needs a Content-Length"),
            entry(ProblemRules.UNSUPPORTED_MEDIA_TYPE, "The body is of another media type"),
            entry(ProblemRules.NOT_ACCEPTABLE, "The client does not accept the media type of the answer"),
            entry(ProblemRules.STALE_GRADIENT, "The gradient is too old"),
            entry(ProblemRules.OTHER_GENERATION, "The request speaks of another history"),
            entry(ProblemRules.FUTURE_VERSION, "The request speaks of a version that does not exist yet"),
            entry(ProblemRules.UNKNOWN_WORKER, "The worker is not registered"),
            entry(ProblemRules.WORKER_EXISTS, "The worker is registered already"),
            entry(ProblemRules.SEQUENCE_TOO_OLD, "The server has forgotten the sequence number"),
            entry(ProblemRules.OTHER_CURSOR, "The gradient does not continue its worker's shard"),
            entry(ProblemRules.UNSETTLED_GRADIENT, "Another gradient of the worker is not settled"),
            entry(ProblemRules.UNKNOWN_GRADIENT, "The gradient is not staged"),
            entry(ProblemRules.DROPPED_GRADIENT, "The gradient was given up"),
            entry(ProblemRules.NO_WORK, "The run has no such work"),
            entry(ProblemRules.WORK_EXISTS, "The run has other work"),
            entry(ProblemRules.NOT_LEAD, "Another server is the lead"),
            entry(ProblemRules.NO_PARAMETERS, "There is no parameter set yet"),
            entry(ProblemRules.PRECONDITION_FAILED, "The precondition does not hold"),
            entry(ProblemRules.PRECONDITION_REQUIRED, "The write needs a precondition"),
            entry(ProblemRules.BUSY, "The server is busy"),
            entry(ProblemRules.VERSION_NOT_HELD, "The version is not held"),
            entry(ProblemRules.UNREADABLE_IMAGE, "The image cannot be read"),
            entry(ProblemRules.NOT_FOUND, "There is no such path"),
            entry(ProblemRules.METHOD_NOT_ALLOWED, "The path does not have this method"),
            entry(ProblemRules.UNAUTHENTICATED, "The request has no valid token or keys"),
            entry(ProblemRules.FORBIDDEN, "The caller may not do this"),
            entry(ProblemRules.SECURITY_OFF, "The server has no keys"),
            entry(ProblemRules.TOO_MANY_REQUESTS, "Too many requests"),
            entry(ProblemRules.INTERNAL, "The server failed"),
            entry(ProblemRules.TOO_FAR_AHEAD, "The worker is too far ahead of the others"),
            entry(ProblemRules.NOT_DURABLE, "The disk refused the data"),
            entry(ProblemRules.RECOVERING, "The server is restoring its state"),
            entry(ProblemRules.NO_CHECKPOINT, "The checkpoint does not exist or cannot be used"));

    private ProblemTitles() {}

    /**
     * Returns a rule's title.
     *
     * @throws IllegalArgumentException when there is no such rule
     */
    public static String of(String rule) {
        String title = TITLES.get(rule);
        if (title == null) {
            throw new IllegalArgumentException("the rule '%s' has no title".formatted(rule));
        }
        return title;
    }

    /** Returns all rules with their titles. */
    public static Map<String, String> all() {
        return TITLES;
    }
}

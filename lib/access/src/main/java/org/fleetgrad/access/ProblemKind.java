package org.fleetgrad.access;

import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.ProblemTitles;

/** Every rule that a request can break, with its name and its status; {@link ProblemTitles} has its title. */
public enum ProblemKind {
    MALFORMED(ProblemRules.MALFORMED, 400),
    INVALID_PARAMETER(ProblemRules.INVALID_PARAMETER, 400),
    UNAUTHENTICATED(ProblemRules.UNAUTHENTICATED, 401),
    FORBIDDEN(ProblemRules.FORBIDDEN, 403),
    NOT_FOUND(ProblemRules.NOT_FOUND, 404),
    NO_PARAMETERS_TO_GET(ProblemRules.NO_PARAMETERS, 404),
    VERSION_NOT_HELD(ProblemRules.VERSION_NOT_HELD, 404),
    METHOD_NOT_ALLOWED(ProblemRules.METHOD_NOT_ALLOWED, 405),
    NOT_ACCEPTABLE(ProblemRules.NOT_ACCEPTABLE, 406),
    NO_PARAMETERS(ProblemRules.NO_PARAMETERS, 409),
    OTHER_GENERATION(ProblemRules.OTHER_GENERATION, 409),
    FUTURE_VERSION(ProblemRules.FUTURE_VERSION, 409),
    STALE_GRADIENT(ProblemRules.STALE_GRADIENT, 409),
    TOO_FAR_AHEAD(ProblemRules.TOO_FAR_AHEAD, 409),
    NO_CHECKPOINT(ProblemRules.NO_CHECKPOINT, 409),
    UNSETTLED_GRADIENT(ProblemRules.UNSETTLED_GRADIENT, 409),
    UNKNOWN_GRADIENT(ProblemRules.UNKNOWN_GRADIENT, 409),
    DROPPED_GRADIENT(ProblemRules.DROPPED_GRADIENT, 409),
    OTHER_CURSOR(ProblemRules.OTHER_CURSOR, 409),
    NO_WORK(ProblemRules.NO_WORK, 409),
    WORK_EXISTS(ProblemRules.WORK_EXISTS, 409),
    NOT_LEAD(ProblemRules.NOT_LEAD, 409),
    SEQUENCE_TOO_OLD(ProblemRules.SEQUENCE_TOO_OLD, 409),
    UNKNOWN_WORKER(ProblemRules.UNKNOWN_WORKER, 409),
    WORKER_EXISTS(ProblemRules.WORKER_EXISTS, 409),
    SECURITY_OFF(ProblemRules.SECURITY_OFF, 409),
    LENGTH_REQUIRED(ProblemRules.LENGTH_REQUIRED, 411),
    PRECONDITION_FAILED(ProblemRules.PRECONDITION_FAILED, 412),
    TOO_LARGE(ProblemRules.TOO_LARGE, 413),
    UNSUPPORTED_MEDIA_TYPE(ProblemRules.UNSUPPORTED_MEDIA_TYPE, 415),
    UNSUPPORTED_ENCODING(ProblemRules.UNSUPPORTED_ENCODING, 415),
    INVALID_ENCODING(ProblemRules.INVALID_ENCODING, 422),
    LAYOUT_MISMATCH(ProblemRules.LAYOUT_MISMATCH, 422),
    NOT_FINITE(ProblemRules.NOT_FINITE, 422),
    GRADIENT_NORM(ProblemRules.GRADIENT_NORM, 422),
    UNREADABLE_IMAGE(ProblemRules.UNREADABLE_IMAGE, 422),
    PRECONDITION_REQUIRED(ProblemRules.PRECONDITION_REQUIRED, 428),
    TOO_MANY_REQUESTS(ProblemRules.TOO_MANY_REQUESTS, 429),
    INTERNAL(ProblemRules.INTERNAL, 500),
    RECOVERING(ProblemRules.RECOVERING, 503),
    NO_MODEL(ProblemRules.NO_PARAMETERS, 503),
    NOT_DURABLE(ProblemRules.NOT_DURABLE, 503),
    BUSY(ProblemRules.BUSY, 503);

    private final String rule;
    private final int status;

    ProblemKind(String rule, int status) {
        this.rule = rule;
        this.status = status;
    }

    /** Returns the end of the problem's {@code type}. */
    public String rule() {
        return rule;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the rule in a few words. */
    public String title() {
        return ProblemTitles.of(rule);
    }
}

package org.fleetgrad.ps.web.problem;

import org.fleetgrad.protocol.ProblemRules;

/** Every rule a request can break, with its name, its status and its title. */
public enum ProblemKind {
    MALFORMED(ProblemRules.MALFORMED, 400, "The request is malformed"),
    INVALID_PARAMETER(ProblemRules.INVALID_PARAMETER, 400, "A parameter of the request is invalid"),
    UNAUTHENTICATED(ProblemRules.UNAUTHENTICATED, 401, "The request does not say who makes it"),
    FORBIDDEN(ProblemRules.FORBIDDEN, 403, "The caller may not do this"),
    NOT_FOUND(ProblemRules.NOT_FOUND, 404, "There is no such path"),
    NO_PARAMETERS_TO_GET(ProblemRules.NO_PARAMETERS, 404, "There is no parameter set yet"),
    METHOD_NOT_ALLOWED(ProblemRules.METHOD_NOT_ALLOWED, 405, "The path does not know the method"),
    NOT_ACCEPTABLE(ProblemRules.NOT_ACCEPTABLE, 406, "The answer is of a type that the client does not accept"),
    NO_PARAMETERS(ProblemRules.NO_PARAMETERS, 409, "There is no parameter set yet"),
    OTHER_GENERATION(ProblemRules.OTHER_GENERATION, 409, "The request speaks of another history"),
    FUTURE_VERSION(ProblemRules.FUTURE_VERSION, 409, "The request speaks of a version that does not exist yet"),
    STALE_GRADIENT(ProblemRules.STALE_GRADIENT, 409, "The gradient is too old"),
    TOO_FAR_AHEAD(ProblemRules.TOO_FAR_AHEAD, 409, "The worker is too far ahead of the others"),
    NO_CHECKPOINT(ProblemRules.NO_CHECKPOINT, 409, "There is no such checkpoint that can be used"),
    OTHER_CURSOR(ProblemRules.OTHER_CURSOR, 409, "The gradient is not of what comes next in its worker's shard"),
    NO_WORK(ProblemRules.NO_WORK, 409, "The run has no such work"),
    WORK_EXISTS(ProblemRules.WORK_EXISTS, 409, "The run has other work"),
    SEQUENCE_TOO_OLD(ProblemRules.SEQUENCE_TOO_OLD, 409, "The sequence number is forgotten"),
    UNKNOWN_WORKER(ProblemRules.UNKNOWN_WORKER, 409, "The worker is not registered"),
    WORKER_EXISTS(ProblemRules.WORKER_EXISTS, 409, "The worker is registered already"),
    SECURITY_OFF(ProblemRules.SECURITY_OFF, 409, "The server has no keys"),
    LENGTH_REQUIRED(ProblemRules.LENGTH_REQUIRED, 411, "The body needs a Content-Length"),
    PRECONDITION_FAILED(ProblemRules.PRECONDITION_FAILED, 412, "The precondition does not hold"),
    TOO_LARGE(ProblemRules.TOO_LARGE, 413, "The body is too large"),
    UNSUPPORTED_MEDIA_TYPE(ProblemRules.UNSUPPORTED_MEDIA_TYPE, 415, "The body is of another type"),
    UNSUPPORTED_ENCODING(ProblemRules.UNSUPPORTED_ENCODING, 415, "The gradient is in an encoding that is not taken"),
    INVALID_ENCODING(ProblemRules.INVALID_ENCODING, 422, "The tensors are not what their encoding writes"),
    LAYOUT_MISMATCH(ProblemRules.LAYOUT_MISMATCH, 422, "The tensors are not those of the parameter set"),
    NOT_FINITE(ProblemRules.NOT_FINITE, 422, "A tensor holds a value that is not finite"),
    PRECONDITION_REQUIRED(ProblemRules.PRECONDITION_REQUIRED, 428, "The write needs a precondition"),
    INTERNAL(ProblemRules.INTERNAL, 500, "The server failed"),
    RECOVERING(ProblemRules.RECOVERING, 503, "The server is bringing back what was kept"),
    NOT_DURABLE(ProblemRules.NOT_DURABLE, 503, "The disk did not take what was to be kept"),
    BUSY(ProblemRules.BUSY, 503, "The server is busy");

    private final String rule;
    private final int status;
    private final String title;

    ProblemKind(String rule, int status, String title) {
        this.rule = rule;
        this.status = status;
        this.title = title;
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
        return title;
    }
}

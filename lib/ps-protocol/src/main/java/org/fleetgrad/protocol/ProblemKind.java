package org.fleetgrad.protocol;

import java.util.Locale;
import org.fleetgrad.protocol.messages.Problem;

/**
 * Every rule that a request can break, with its status and its title; {@code openapi.yaml} says when each is
 * answered. One rule has one title in all services.
 */
public enum ProblemKind {
    /** The body is not safetensors or not JSON, or lacks something. */
    MALFORMED(400, "The request is malformed"),
    INVALID_PARAMETER(400, "A parameter of the request is invalid"),
    UNAUTHENTICATED(401, "The request has no valid token or keys"),
    /** The caller's role does not allow this, or not in another worker's name. */
    FORBIDDEN(403, "The caller may not do this"),
    NOT_FOUND(404, "There is no such path"),
    VERSION_NOT_HELD(404, "The version is not held"),
    NO_EVALUATION(404, "No version was evaluated yet"),
    /** Feedback is of no answer that the service remembers. */
    UNKNOWN_ANSWER(404, "The answer is not known"),
    METHOD_NOT_ALLOWED(405, "The path does not have this method"),
    NOT_ACCEPTABLE(406, "The client does not accept the media type of the answer"),
    /** The body did not arrive in time; the same request may be sent again. */
    REQUEST_TIMEOUT(408, "The body did not arrive in time"),
    NO_PARAMETERS(409, "There is no parameter set yet"),
    NO_PARAMETERS_TO_GET(404, NO_PARAMETERS),
    OTHER_GENERATION(409, "The request speaks of another history"),
    FUTURE_VERSION(409, "The request speaks of a version that does not exist yet"),
    /** The gradient was computed on a version that is too old for the mode. */
    STALE_GRADIENT(409, "The gradient is too old"),
    /** The worker is further ahead of the slowest worker than the mode allows. */
    TOO_FAR_AHEAD(409, "The worker is too far ahead of the others"),
    /** The served version is of a network that does not continue texts. */
    NO_LANGUAGE_MODEL(409, "The model does not continue texts"),
    NO_CHECKPOINT(409, "The checkpoint does not exist or cannot be used"),
    /** The worker has another gradient staged here, which must be settled first. */
    UNSETTLED_GRADIENT(409, "Another gradient of the worker is not settled"),
    UNKNOWN_GRADIENT(409, "The gradient is not staged"),
    /** The push was given up while its worker was silent. */
    DROPPED_GRADIENT(409, "The gradient was given up"),
    /** The worker has another shard, or is at another position in it. */
    OTHER_CURSOR(409, "The gradient does not continue its worker's shard"),
    /** The shards of the run have not been put yet. */
    NO_WORK(409, "The run has no such work"),
    /** The run has other work, and workers have begun it. */
    WORK_EXISTS(409, "The run has other work"),
    /** No further shard can be added to the work now. */
    WORK_FULL(409, "The run takes no more work now"),
    /** The run does not know the shards that its sender added before, as after a rollback. */
    WORK_BEHIND(409, "The run lacks work that was added before"),
    /** The server has a partition of the parameters and is not the lead; only the lead has the work. */
    NOT_LEAD(409, "Another server is the lead"),
    /** The sequence number is older than all those whose responses the server has stored. */
    SEQUENCE_TOO_OLD(409, "The server has forgotten the sequence number"),
    /** The worker is not registered, or its lease expired. */
    UNKNOWN_WORKER(409, "The worker is not registered"),
    WORKER_EXISTS(409, "The worker is registered already"),
    /** The server has no keys, so it issues no tokens: call it without one. */
    SECURITY_OFF(409, "The server has no keys"),
    LENGTH_REQUIRED(411, "The body needs a Content-Length"),
    PRECONDITION_FAILED(412, "The precondition does not hold"),
    TOO_LARGE(413, "The body is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body is of another media type"),
    UNSUPPORTED_ENCODING(415, "The server does not take this encoding"),
    INVALID_ENCODING(422, "The tensors are not what their encoding writes"),
    LAYOUT_MISMATCH(422, "The tensors are not those of the parameter set"),
    /** A tensor holds NaN, an infinity, or a value of 2^32 or more in size. */
    NOT_FINITE(422, "A tensor holds a value that is not finite, or too large"),
    /** The gradient's norm is larger than accepted. */
    GRADIENT_NORM(422, "The gradient is too long"),
    /** An image cannot be decoded, or has more pixels than accepted. */
    UNREADABLE_IMAGE(422, "The image cannot be read"),
    /** The model has no such label. */
    UNFIT_LABEL(422, "The label does not fit the answer"),
    /** The write needs If-Match or If-None-Match, and the request has neither. */
    PRECONDITION_REQUIRED(428, "The write needs a precondition"),
    /** The caller sends requests too often, or its address sent too many wrong keys and tokens. */
    TOO_MANY_REQUESTS(429, "Too many requests"),
    INTERNAL(500, "The server failed"),
    RECOVERING(503, "The server is restoring its state"),
    NO_MODEL(503, NO_PARAMETERS),
    /** The server could not write to its disk, so it did nothing. */
    NOT_DURABLE(503, "The disk refused the data"),
    /** Too many gradients wait, or the server shuts down. */
    BUSY(503, "The server is busy");

    private final int status;
    private final String rule;
    private final String title;

    ProblemKind(int status, String title) {
        this.status = status;
        this.rule = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.title = title;
    }

    /** The same rule, answered with another status. */
    ProblemKind(int status, ProblemKind same) {
        this.status = status;
        this.rule = same.rule;
        this.title = same.title;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the name of the rule, in which the problem's {@code type} ends. */
    public String rule() {
        return rule;
    }

    /** Returns the problem's {@code type}. */
    public String type() {
        return Problem.TYPE_PREFIX + rule;
    }

    /** Returns the rule in a few words. */
    public String title() {
        return title;
    }
}

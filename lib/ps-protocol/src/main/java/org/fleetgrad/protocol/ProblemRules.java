package org.fleetgrad.protocol;

/** Names of the rules that a problem's {@code type} ends in; {@code openapi.yaml} says when each is answered. */
public final class ProblemRules {

    /** The body is not safetensors or not JSON, or lacks something. */
    public static final String MALFORMED = "malformed";

    /** A parameter of the request has a wrong value. */
    public static final String INVALID_PARAMETER = "invalid-parameter";

    /** The server does not know the gradient's encoding. */
    public static final String UNSUPPORTED_ENCODING = "unsupported-encoding";

    /** A gradient's tensors hold bytes that its encoding never writes. */
    public static final String INVALID_ENCODING = "invalid-encoding";

    /** A gradient's tensors are not those of the parameter set. */
    public static final String LAYOUT_MISMATCH = "layout-mismatch";

    /** A tensor holds NaN, an infinity, or a value of 2^32 or more in size. */
    public static final String NOT_FINITE = "not-finite";

    /** A gradient's norm is larger than accepted. */
    public static final String GRADIENT_NORM = "gradient-norm";

    /** The body is larger than accepted. */
    public static final String TOO_LARGE = "too-large";

    /** The body has no length. */
    public static final String LENGTH_REQUIRED = "length-required";

    /** The body is of another media type. */
    public static final String UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type";

    /** The client does not accept the media type of the response. */
    public static final String NOT_ACCEPTABLE = "not-acceptable";

    /** The gradient was computed on a version that is too old for the mode. */
    public static final String STALE_GRADIENT = "stale-gradient";

    /** The request names a generation that is not the server's. */
    public static final String OTHER_GENERATION = "other-generation";

    /** The request names a version that does not exist yet. */
    public static final String FUTURE_VERSION = "future-version";

    /** The worker is not registered, or its lease expired. */
    public static final String UNKNOWN_WORKER = "unknown-worker";

    /** The id is registered, and its lease has not expired. */
    public static final String WORKER_EXISTS = "worker-exists";

    /** The sequence number is older than all those whose responses the server has stored. */
    public static final String SEQUENCE_TOO_OLD = "sequence-too-old";

    /**
     * The gradient does not continue its worker's shard: the worker has another shard, or is at another position in it.
     */
    public static final String OTHER_CURSOR = "other-cursor";

    /** The run has no work: its shards have not been put yet. */
    public static final String NO_WORK = "no-work";

    /** The run has other work, and workers have begun it. */
    public static final String WORK_EXISTS = "work-exists";

    /** The server has a partition of the parameters and is not the lead; only the lead has the work. */
    public static final String NOT_LEAD = "not-lead";

    /** The worker has another gradient staged here, which must be settled first. */
    public static final String UNSETTLED_GRADIENT = "unsettled-gradient";

    /** The gradient to settle is not staged here. */
    public static final String UNKNOWN_GRADIENT = "unknown-gradient";

    /** The push was given up while its worker was silent. */
    public static final String DROPPED_GRADIENT = "dropped-gradient";

    /** There is no parameter set yet. */
    public static final String NO_PARAMETERS = "no-parameters";

    /** The condition of If-Match or If-None-Match does not hold. */
    public static final String PRECONDITION_FAILED = "precondition-failed";

    /** The write needs If-Match or If-None-Match, and the request has neither. */
    public static final String PRECONDITION_REQUIRED = "precondition-required";

    /** Too many gradients wait, or the server shuts down. */
    public static final String BUSY = "busy";

    /** An image cannot be decoded, or has more pixels than accepted. */
    public static final String UNREADABLE_IMAGE = "unreadable-image";

    /** The inference API does not hold the requested version. */
    public static final String VERSION_NOT_HELD = "version-not-held";

    /** There is no such path. */
    public static final String NOT_FOUND = "not-found";

    /** The path does not have this method. */
    public static final String METHOD_NOT_ALLOWED = "method-not-allowed";

    /** The request has no valid token, or its keys are wrong. */
    public static final String UNAUTHENTICATED = "unauthenticated";

    /** The caller's role does not allow this, or not in another worker's name. */
    public static final String FORBIDDEN = "forbidden";

    /** The server has no keys, so it issues no tokens: call it without one. */
    public static final String SECURITY_OFF = "security-off";

    /** The caller sends requests too often, or its address sent too many wrong keys and tokens. */
    public static final String TOO_MANY_REQUESTS = "too-many-requests";

    /** A bug in the server. */
    public static final String INTERNAL = "internal";

    /** The worker is further ahead of the slowest worker than the mode allows. */
    public static final String TOO_FAR_AHEAD = "too-far-ahead";

    /** The server could not write to its disk, so it did nothing. */
    public static final String NOT_DURABLE = "not-durable";

    /** The server is still restoring its state from the disk. */
    public static final String RECOVERING = "recovering";

    /** The checkpoint does not exist, or cannot be used. */
    public static final String NO_CHECKPOINT = "no-checkpoint";

    private ProblemRules() {}
}

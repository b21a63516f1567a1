package org.fleetgrad.protocol;

/** Names of the rules that a problem's {@code type} ends in; {@code openapi.yaml} says when each is answered. */
public final class ProblemRules {

    /** The body is not safetensors, or not JSON, or misses something. */
    public static final String MALFORMED = "malformed";

    /** A parameter of the request is not what it must be. */
    public static final String INVALID_PARAMETER = "invalid-parameter";

    /** A gradient comes in an encoding that the server does not know. */
    public static final String UNSUPPORTED_ENCODING = "unsupported-encoding";

    /** A gradient's tensors hold what its encoding never writes. */
    public static final String INVALID_ENCODING = "invalid-encoding";

    /** A gradient's tensors are not those of the parameter set. */
    public static final String LAYOUT_MISMATCH = "layout-mismatch";

    /** A tensor holds NaN or an infinity. */
    public static final String NOT_FINITE = "not-finite";

    /** The body is larger than accepted. */
    public static final String TOO_LARGE = "too-large";

    /** The body has no length. */
    public static final String LENGTH_REQUIRED = "length-required";

    /** The body is of another media type. */
    public static final String UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type";

    /** The answer would be of a media type that the client does not accept. */
    public static final String NOT_ACCEPTABLE = "not-acceptable";

    /** The gradient was computed on a version that is too old for the mode. */
    public static final String STALE_GRADIENT = "stale-gradient";

    /** The request speaks of another history than the server's. */
    public static final String OTHER_GENERATION = "other-generation";

    /** The request speaks of a version that does not exist yet. */
    public static final String FUTURE_VERSION = "future-version";

    /** The worker is not registered, or its lease ran out. */
    public static final String UNKNOWN_WORKER = "unknown-worker";

    /** The id is registered and its lease runs. */
    public static final String WORKER_EXISTS = "worker-exists";

    /** A sequence number is older than the window in which answers are remembered. */
    public static final String SEQUENCE_TOO_OLD = "sequence-too-old";

    /** The gradient is of a shard that its worker does not have, or of another part of it than comes next. */
    public static final String OTHER_CURSOR = "other-cursor";

    /** The run has no work: nobody has said what its shards are. */
    public static final String NO_WORK = "no-work";

    /** The run has other work, and some of it is begun. */
    public static final String WORK_EXISTS = "work-exists";

    /** There is no parameter set yet. */
    public static final String NO_PARAMETERS = "no-parameters";

    /** If-Match or If-None-Match does not hold. */
    public static final String PRECONDITION_FAILED = "precondition-failed";

    /** A write that needs If-Match or If-None-Match came without. */
    public static final String PRECONDITION_REQUIRED = "precondition-required";

    /** Too many gradients wait, or the server shuts down. */
    public static final String BUSY = "busy";

    /** An image cannot be decoded, or has more pixels than accepted. */
    public static final String UNREADABLE_IMAGE = "unreadable-image";

    /** There is no such path. */
    public static final String NOT_FOUND = "not-found";

    /** The path exists, the method on it does not. */
    public static final String METHOD_NOT_ALLOWED = "method-not-allowed";

    /** The request has no token, or none that counts; or its keys are wrong. */
    public static final String UNAUTHENTICATED = "unauthenticated";

    /** The caller's role may not do this, or not in another worker's name. */
    public static final String FORBIDDEN = "forbidden";

    /** The server has no keys, and so gives no tokens: it is asked without one. */
    public static final String SECURITY_OFF = "security-off";

    /** A bug in the server. */
    public static final String INTERNAL = "internal";

    /** The worker has pushed more gradients than the slowest by more than the mode allows. */
    public static final String TOO_FAR_AHEAD = "too-far-ahead";

    /** The disk did not take what was to be kept, so it was not done. */
    public static final String NOT_DURABLE = "not-durable";

    /** The server is still bringing back what was kept. */
    public static final String RECOVERING = "recovering";

    /** There is no such checkpoint, or it cannot be used. */
    public static final String NO_CHECKPOINT = "no-checkpoint";

    private ProblemRules() {}
}

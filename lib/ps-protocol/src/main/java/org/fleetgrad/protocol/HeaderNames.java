package org.fleetgrad.protocol;

/** The contract's own HTTP header names, and its media types. */
public final class HeaderNames {

    /** The outcome of a push, in lower case: {@code applied}, {@code duplicate}, … */
    public static final String OUTCOME = "X-Outcome";

    /** The version that the response is about. */
    public static final String VERSION = "X-Version";

    /** The generation that the response is about. */
    public static final String GENERATION = "X-Generation";

    /** Steps between the version a gradient was computed on and the one it was applied to. */
    public static final String STALENESS = "X-Staleness";

    /** {@value #PAUSED} in the answer of a push while the run's work is paused: the worker ends after its batch. */
    public static final String WORK = "X-Work";

    /** The value of {@link #WORK}. */
    public static final String PAUSED = "paused";

    /** Id of the worker that makes the call. Any call with this header renews the worker's lease. */
    public static final String WORKER = "X-Worker";

    /** Media type of tensors. */
    public static final String SAFETENSORS = "application/vnd.safetensors";

    /** DJL's media type of tensors; the server accepts it, too. */
    public static final String DJL_SAFETENSORS = "tensor/safetensors";

    /** Media type of errors, RFC 9457. */
    public static final String PROBLEM_JSON = "application/problem+json";

    private HeaderNames() {}
}

package org.fleetgrad.access;

import java.time.Duration;
import java.util.Map;
import org.fleetgrad.protocol.ProblemRules;

/** Refuses a request that its caller may not make: the parts of a problem (RFC 9457), and the response headers. */
public final class AccessRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String rule;
    private final int status;
    private final transient Map<String, Object> members;
    private final transient Map<String, String> headers;

    private AccessRefused(
            String rule, int status, String detail, Map<String, Object> members, Map<String, String> headers) {
        // No stack trace: this is a response, not a failure, and hostile input must not make it costly.
        super(detail, null, false, false);
        this.rule = rule;
        this.status = status;
        this.members = members;
        this.headers = headers;
    }

    /**
     * Refuses an unauthenticated caller. The header repeats the detail (RFC 6750 section 3): some clients never show the
     * body of a 401.
     *
     * @param hasToken whether the request had a token or keys, which are not valid; if it had none, the header names only
     *     the scheme
     */
    static AccessRefused unauthenticated(String detail, boolean hasToken) {
        String challenge = "Bearer realm=\"fleetgrad\"";
        String header = hasToken
                ? "%s, error=\"invalid_token\", error_description=\"%s\"".formatted(challenge, detail)
                : challenge;
        return new AccessRefused(
                ProblemRules.UNAUTHENTICATED, 401, detail, Map.of(), Map.of("WWW-Authenticate", header));
    }

    /** Refuses an authenticated caller that may not do this. */
    static AccessRefused forbidden(String detail, Map<String, Object> members) {
        return new AccessRefused(ProblemRules.FORBIDDEN, 403, detail, members, Map.of());
    }

    /** Refuses a caller that sends requests too often; it may retry after {@code wait}. */
    static AccessRefused tooManyRequests(String detail, Duration wait) {
        // RFC 9110 allows only whole seconds in the header.
        long seconds = Math.max(1, wait.plusSeconds(1).minusNanos(1).toSeconds());
        return new AccessRefused(
                ProblemRules.TOO_MANY_REQUESTS,
                429,
                "%s: retry in %d s".formatted(detail, seconds),
                Map.of("waitMs", wait.toMillis()),
                Map.of("Retry-After", Long.toString(seconds)));
    }

    /** Refuses a worker's token to a client that does not present the worker's last one. */
    public static AccessRefused tokenNotShown(String worker) {
        return forbidden(
                "worker '%s' is registered and has a token: show it in Authorization, expired or not, to get another"
                        .formatted(worker),
                Map.of("worker", worker));
    }

    /** Refuses a token request that violates the contract. */
    public static AccessRefused malformed(String detail) {
        return new AccessRefused(ProblemRules.MALFORMED, 400, detail, Map.of(), Map.of());
    }

    /** Refuses to issue a token, because the service has no keys. */
    static AccessRefused securityOff() {
        return new AccessRefused(
                ProblemRules.SECURITY_OFF,
                409,
                "the server has no keys, and takes every request without a token",
                Map.of(),
                Map.of());
    }

    /** Refuses a body of unknown length from an unauthenticated sender. */
    static AccessRefused lengthRequired() {
        return new AccessRefused(
                ProblemRules.LENGTH_REQUIRED,
                411,
                "the size of this body must be known before it is read",
                Map.of(),
                Map.of());
    }

    /** Refuses a body that is too large for an unauthenticated sender. */
    static AccessRefused tooLarge(long bytes, long limit) {
        return new AccessRefused(
                ProblemRules.TOO_LARGE,
                413,
                "the body has %d bytes, accepted are %d".formatted(bytes, limit),
                Map.of("bytes", bytes, "limitBytes", limit),
                Map.of());
    }

    /** Refuses to echo a request: a proxy may have put a token of its own into it. */
    static AccessRefused traceNotAllowed(String allowed) {
        return new AccessRefused(
                ProblemRules.METHOD_NOT_ALLOWED,
                405,
                "TRACE is answered nowhere: the answer would repeat the request's headers, a token among them",
                Map.of(),
                Map.of("Allow", allowed));
    }

    /** Returns the name of the rule that was broken, one of {@link ProblemRules}. */
    public String rule() {
        return rule;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the problem's detail, a sentence with the numbers. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Returns the members of the problem beside the standard ones. */
    public Map<String, Object> members() {
        return members;
    }

    /** Returns the response headers. */
    public Map<String, String> headers() {
        return headers;
    }
}

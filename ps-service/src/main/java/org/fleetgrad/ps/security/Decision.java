package org.fleetgrad.ps.security;

/** The decision about a request. */
public sealed interface Decision {

    /** The route is open to everybody; the caller stays unknown. */
    record Open() implements Decision {}

    /**
     * The request is allowed.
     *
     * @param caller the caller
     */
    record Granted(Caller caller) implements Decision {}

    /**
     * The caller is not authenticated.
     *
     * @param detail   whether the token is missing, expired or invalid
     * @param hasToken whether there was a token
     */
    record Unauthenticated(String detail, boolean hasToken) implements Decision {}

    /**
     * The caller is known, but not allowed to do this.
     *
     * @param detail the role, and the routes that it may use
     */
    record Forbidden(String detail) implements Decision {}
}

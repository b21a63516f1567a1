package org.fleetgrad.ps.security;

/** What becomes of a request. */
public sealed interface Decision {

    /** Anybody may ask this, and is nobody in particular. */
    record Open() implements Decision {}

    /**
     * The request may go on.
     *
     * @param caller who makes it
     */
    record Granted(Caller caller) implements Decision {}

    /**
     * It is not known who asks.
     *
     * @param detail     whether the token is missing, expired or invalid
     * @param hasToken   whether there was one
     */
    record Unauthenticated(String detail, boolean hasToken) implements Decision {}

    /**
     * It is known who asks, and it may not.
     *
     * @param detail the role, and what it may do
     */
    record Forbidden(String detail) implements Decision {}
}

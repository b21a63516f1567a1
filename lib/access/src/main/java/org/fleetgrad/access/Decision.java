package org.fleetgrad.access;

import java.time.Duration;
import java.util.Map;

/** The decision about a request. */
public sealed interface Decision {

    /**
     * Returns this decision if the request may go on.
     *
     * @throws AccessRefused if it may not
     */
    default Decision admit() {
        if (this instanceof Unauthenticated unknown) {
            throw AccessRefused.unauthenticated(unknown.detail(), unknown.hasToken());
        }
        if (this instanceof Forbidden forbidden) {
            throw AccessRefused.forbidden(forbidden.detail(), Map.of());
        }
        if (this instanceof Limited limited) {
            throw AccessRefused.tooManyRequests(limited.detail(), limited.pause());
        }
        return this;
    }

    /** The route is open to everybody; the caller is not authenticated. */
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

    /**
     * The caller sends requests too often.
     *
     * @param detail the limit
     * @param pause  time until it may retry
     */
    record Limited(String detail, Duration pause) implements Decision {}
}

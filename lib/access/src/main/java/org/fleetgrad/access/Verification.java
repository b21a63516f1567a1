package org.fleetgrad.access;

import java.time.Instant;

/** The result of verifying a token. */
public sealed interface Verification {

    /**
     * The token is valid.
     *
     * @param caller  its caller
     * @param expires time at which it expires
     */
    record Valid(Caller caller, Instant expires) implements Verification {}

    /**
     * This server issued the token, but it has expired.
     *
     * @param caller the caller that it was issued to
     * @param at     time at which it expired
     */
    record Expired(Caller caller, Instant at) implements Verification {}

    /** This server did not issue the token: it is garbage, was issued by another server, or was changed. */
    record Invalid() implements Verification {}
}

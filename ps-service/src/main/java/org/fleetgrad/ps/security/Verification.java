package org.fleetgrad.ps.security;

import java.time.Instant;

/** What a token can turn out to be. */
public sealed interface Verification {

    /**
     * It counts.
     *
     * @param caller  whom it speaks for
     * @param expires when it counts no longer
     */
    record Valid(Caller caller, Instant expires) implements Verification {}

    /**
     * It was one of ours, and its time is over.
     *
     * @param at when it expired
     */
    record Expired(Instant at) implements Verification {}

    /** It is none of ours: garbage, another server's, or changed on its way. */
    record Invalid() implements Verification {}
}

package org.fleetgrad.ensemble;

/** What became of the members' responses. */
sealed interface Joined {

    /** They are one response. */
    record Answered(EnsembleReply reply) implements Joined {}

    /** They predict different things, and cannot be combined; the text names who predicts what. */
    record Mixed(String why) implements Joined {}

    /** There is none. */
    record Nobody() implements Joined {}
}

package org.fleetgrad.ps.outcome;

/**
 * The answer to a submission to the applier.
 *
 * @param <T> its outcome, if it was worked off
 */
public sealed interface Answer<T> {

    /** The applier worked it off, with this outcome. */
    record Done<T>(T outcome) implements Answer<T> {}

    /** The disk did not confirm it; if it was not done at all, the state is as before. */
    record NotDurable<T>(String detail) implements Answer<T> {}

    /** The queue is full, or the server is stopping: it was not done. */
    record Busy<T>(String detail) implements Answer<T> {}
}

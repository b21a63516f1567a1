package org.fleetgrad.ps.outcome;

/**
 * The answer to a submission to the applier.
 *
 * @param <T> its outcome, if it was worked off
 */
public sealed interface Answer<T> {

    /** The applier worked it off, with this outcome. */
    record Done<T>(T outcome) implements Answer<T> {}

    /** The disk did not take it, and the state is as before; or a commit failed, and only a restart can tell. */
    record NotDurable<T>(String detail) implements Answer<T> {}

    /**
     * The queue is full or the server is stopping: it was not done. Or its request was interrupted before the answer
     * came, and it may still be done: do not reuse its buffers.
     */
    record Busy<T>(String detail) implements Answer<T> {}
}

package org.fleetgrad.ps.outcome;

/**
 * The answer to a submission to the applier.
 *
 * @param <T> its outcome, if it was processed
 */
public sealed interface SubmissionResult<T> {

    /** The applier processed it, with this outcome. */
    record Done<T>(T outcome) implements SubmissionResult<T> {}

    /** It could not be written, and the state is unchanged; or a commit failed, and only a restart shows the outcome. */
    record NotDurable<T>(String detail) implements SubmissionResult<T> {}

    /**
     * The queue is full or the server is stopping: it was not processed. Or its request was interrupted before the answer,
     * and it may still be processed: do not reuse its buffers.
     */
    record Busy<T>(String detail) implements SubmissionResult<T> {}
}

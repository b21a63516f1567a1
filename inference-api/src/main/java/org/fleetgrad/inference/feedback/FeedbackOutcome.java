package org.fleetgrad.inference.feedback;

/** What became of a request with feedback: all of it counts, or nothing. */
public sealed interface FeedbackOutcome {

    /**
     * It was taken.
     *
     * @param counted  labels that count
     * @param repeated labels of predictions that had one already, which changed nothing
     */
    record Taken(int counted, int repeated) implements FeedbackOutcome {}

    /** An id is of no answer that is remembered; nothing was counted. */
    record UnknownAnswer(String why) implements FeedbackOutcome {}

    /** A label is none of its answer's; nothing was counted. */
    record UnfitLabel(String why) implements FeedbackOutcome {}
}

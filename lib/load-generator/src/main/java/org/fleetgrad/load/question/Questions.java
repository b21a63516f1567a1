package org.fleetgrad.load.question;

import org.fleetgrad.load.question.PredictClient.Reply;

/** What a load asks, by the number of the request, and how it judges the responses. Thread-safe. */
public interface Questions {

    /** Returns the body of a request. */
    byte[] body(long number);

    /** Judges the response to a request. */
    Verdict read(long number, Reply reply);

    /** Returns the body of feedback on the answer to a request. */
    byte[] feedback(long number, String answer);

    /** Returns why feedback was not taken; empty if it was. */
    String refusalOfFeedback(Reply reply);
}

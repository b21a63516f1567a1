package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/**
 * Gives back what an answer holds when the container has completed it, however that came about: a client may be gone without
 * a word to the listener that reads or writes.
 *
 * @param end may run more than once
 */
record AnswerEnd(Runnable end) implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent done) {
        end.run();
    }

    @Override
    public void onTimeout(AsyncEvent late) {
        // No answer here has a time of the container's.
    }

    @Override
    public void onError(AsyncEvent failed) {
        // The container completes it next.
    }

    @Override
    public void onStartAsync(AsyncEvent again) {
        // Nobody begins again.
    }
}

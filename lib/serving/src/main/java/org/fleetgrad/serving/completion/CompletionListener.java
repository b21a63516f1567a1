package org.fleetgrad.serving.completion;

import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.PredictionOutcome;

/**
 * Receives a completion, from the threads that compute it, one call at a time. A call must not wait: other completions wait for
 * the same thread. After the last call, which is not {@link #text}, everything of the completion is freed.
 */
public interface CompletionListener {

    /**
     * Receives a part of the text.
     *
     * @param text    whole characters, at least one
     * @param version the version of the token that completed the part
     */
    void text(String text, ParameterVersion version);

    /** The completion is complete. */
    void end(CompletionEnd end);

    /** The completion ends early, because the program shuts down. */
    void refused(PredictionOutcome.Refusal why);

    /** A computation failed. */
    void failed(Throwable failure);
}

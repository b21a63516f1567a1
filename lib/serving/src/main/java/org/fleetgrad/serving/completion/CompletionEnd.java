package org.fleetgrad.serving.completion;

import org.fleetgrad.protocol.ParameterVersion;

/**
 * How a completion ended.
 *
 * @param reason           why there are no more tokens
 * @param promptTokens     number of tokens of the prompt
 * @param completionTokens number of tokens that were chosen, also those that a stop text cut off
 * @param version          the version of the last token
 */
public record CompletionEnd(Reason reason, int promptTokens, int completionTokens, ParameterVersion version) {

    /** Why there are no more tokens. */
    public enum Reason {
        /** A stop text came, or the token that ends a document. */
        STOP,
        /** There are as many tokens as asked for. */
        LENGTH
    }
}

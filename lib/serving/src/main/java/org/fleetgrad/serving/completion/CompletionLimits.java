package org.fleetgrad.serving.completion;

/**
 * The limits of completions.
 *
 * @param running      the most completions at a time
 * @param bytes        the most memory of their cached keys and values, and of the versions that they lease
 * @param promptTokens the most tokens of a prompt
 * @param threads      threads that compute
 */
public record CompletionLimits(int running, long bytes, int promptTokens, int threads) {

    /** Checks the numbers. */
    public CompletionLimits {
        if (running < 1 || bytes < 1 || promptTokens < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    "there must be 1 completion, byte, token and thread or more; given were %d, %d, %d and %d"
                            .formatted(running, bytes, promptTokens, threads));
        }
    }
}

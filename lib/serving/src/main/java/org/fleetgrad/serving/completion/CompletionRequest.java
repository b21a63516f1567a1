package org.fleetgrad.serving.completion;

import java.util.List;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.serving.policy.WantedVersion;

/**
 * A text to continue.
 *
 * @param wanted    the version that continues it; of a live completion, the one that it begins with
 * @param isLive    whether each token comes from the version that the policy chooses at that moment; otherwise one version
 *     computes all
 * @param prompt    the text
 * @param maxTokens the most tokens of the continuation, 1 or more
 * @param sampling  how they are chosen
 * @param seed      of the draws
 * @param stop      the continuation ends before the first of these texts; none of them is empty
 */
public record CompletionRequest(
        WantedVersion wanted,
        boolean isLive,
        String prompt,
        int maxTokens,
        Sampling sampling,
        long seed,
        List<String> stop) {

    /** Copies the list. */
    public CompletionRequest {
        stop = List.copyOf(stop);
    }
}

package org.fleetgrad.inference;

import java.time.Duration;
import org.fleetgrad.serving.completion.CompletionLimits;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of completions, {@code inference.completions.*}.
 *
 * @param memory          the most memory of their cached keys and values, and of the versions that they compute with
 * @param running         the most completions at a time
 * @param maxTokens       the most tokens of a completion
 * @param maxPromptTokens the most tokens of a prompt
 * @param maxBytes        largest body of a request
 * @param threads         threads that compute
 * @param timeout         longest time from a request to the end of its answer
 */
public record CompletionProperties(
        @DefaultValue("1GB") DataSize memory,
        @DefaultValue("64") int running,
        @DefaultValue("1024") int maxTokens,
        @DefaultValue("16384") int maxPromptTokens,
        @DefaultValue("256KB") DataSize maxBytes,
        @DefaultValue("1") int threads,
        @DefaultValue("10m") Duration timeout) {

    private static final DataSize MAX_MEMORY = DataSize.ofTerabytes(1);
    private static final DataSize MAX_BODY = DataSize.ofMegabytes(64);
    private static final int MAX_RUNNING = 1 << 16;
    private static final int MAX_TOKENS = 1 << 20;
    private static final int MAX_THREADS = 64;
    private static final Duration MAX_TIMEOUT = Duration.ofHours(24);

    /** Checks the values that the types allow but the service does not. */
    public CompletionProperties {
        InferenceProperties.requireSize("completions.memory", memory, MAX_MEMORY, "1GB");
        InferenceProperties.requireSize("completions.max-bytes", maxBytes, MAX_BODY, "256KB");
        InferenceProperties.requireFrom1("completions.running", running, MAX_RUNNING);
        InferenceProperties.requireFrom1("completions.max-tokens", maxTokens, MAX_TOKENS);
        InferenceProperties.requireFrom1("completions.max-prompt-tokens", maxPromptTokens, MAX_TOKENS);
        InferenceProperties.requireFrom1("completions.threads", threads, MAX_THREADS);
        InferenceProperties.require(
                timeout.compareTo(Duration.ofMillis(1)) >= 0 && timeout.compareTo(MAX_TIMEOUT) <= 0,
                "completions.timeout",
                timeout,
                "a time from 1ms to 24h, such as 10m");
    }

    CompletionLimits limits() {
        return new CompletionLimits(running, memory.toBytes(), maxPromptTokens, threads);
    }
}

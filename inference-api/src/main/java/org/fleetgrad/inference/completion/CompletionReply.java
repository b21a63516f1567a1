package org.fleetgrad.inference.completion;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.completion.CompletionEnd;
import org.jspecify.annotations.Nullable;

/**
 * A completion as OpenAI's API writes it, or a chunk of one; {@code openapi.yaml} explains each member.
 *
 * @param choices one, or none in a chunk that has the usage only
 */
public record CompletionReply(
        String id,
        String object,
        long created,
        String model,
        long version,
        String generation,
        long seed,
        List<Choice> choices,
        @Nullable Usage usage) {

    /** The text, and why it ended; null if more follows. OpenAI's clients expect {@code logprobs}, too. */
    public record Choice(
            String text,
            int index,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Object logprobs,

            @JsonProperty("finish_reason") @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            String finishReason) {}

    /** The numbers of tokens. */
    public record Usage(
            @JsonProperty("prompt_tokens") int promptTokens,
            @JsonProperty("completion_tokens") int completionTokens,
            @JsonProperty("total_tokens") int totalTokens) {}

    /**
     * What all replies of a completion begin with.
     *
     * @param created seconds since 1970
     */
    public record Head(String id, long created, String model, long seed) {

        /** Makes a reply with a text after which more follows. */
        public CompletionReply part(String text, ParameterVersion version) {
            return reply(List.of(new Choice(text, 0, null, null)), version, null);
        }

        /** Makes the reply that ends a completion; {@code text} is all of it, or what has not been sent. */
        public CompletionReply end(String text, CompletionEnd end, boolean hasUsage) {
            String reason = end.reason().name().toLowerCase(Locale.ROOT);
            return reply(List.of(new Choice(text, 0, null, reason)), end.version(), hasUsage ? usageOf(end) : null);
        }

        /** Makes the chunk that has the numbers of tokens only. */
        public CompletionReply usage(CompletionEnd end) {
            return reply(List.of(), end.version(), usageOf(end));
        }

        private static Usage usageOf(CompletionEnd end) {
            return new Usage(end.promptTokens(), end.completionTokens(), end.promptTokens() + end.completionTokens());
        }

        private CompletionReply reply(List<Choice> choices, ParameterVersion version, @Nullable Usage usage) {
            return new CompletionReply(
                    id,
                    "text_completion",
                    created,
                    model,
                    version.version(),
                    version.generation(),
                    seed,
                    choices,
                    usage);
        }
    }
}

package org.fleetgrad.serving.completion;

import java.util.Arrays;
import org.fleetgrad.datasets.text.IncrementalDecoder;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.libtorch.TextDecoder;
import org.fleetgrad.networks.sampling.TokenSampler;
import org.fleetgrad.serving.Decoders;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.VersionLease;
import org.fleetgrad.serving.completion.CompletionEnd.Reason;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;

/**
 * A completion that is computed token by token. Its turns follow each other, perhaps in different threads; any thread may cancel
 * it.
 *
 * <p>A completion leases the version that it began with, so all its tokens come from that one, however many arrive meanwhile. A
 * live one leases the version that the policy chooses instead, before each token. When that is another one, the keys and values
 * of the tokens so far are computed anew: each token is what a completion of the text before it by that version would give.
 */
public final class RunningCompletion {

    /** Tokens of a text that one turn computes: a few times the work of one, so that other completions hardly wait. */
    static final int TOKENS_OF_TURN = 32;

    private final LiveModel model;
    private final CompletionMemory memory;
    private final CompletionRequest request;
    private final CompletionListener listener;
    private final Tokenizer tokenizer;
    private final TokenSampler sampler;
    private final IncrementalDecoder characters;
    private final StopTexts stops;
    private final int promptTokens;
    private final long cacheBytes;
    private VersionLease lease;
    private @Nullable TextDecoder decoder;

    /** The prompt and what follows it; the decoder has those before the last one. */
    private int[] tokens;

    private long lastNanos;
    private volatile boolean isCancelled;

    RunningCompletion(
            LiveModel model,
            CompletionMemory memory,
            CompletionRequest request,
            CompletionListener listener,
            VersionLease lease,
            int[] prompt,
            long cacheBytes) {
        this.model = model;
        this.memory = memory;
        this.request = request;
        this.listener = listener;
        this.lease = lease;
        this.tokenizer = lease.tokenizer().orElseThrow();
        this.characters = tokenizer.decoder(prompt);
        this.sampler = new TokenSampler(request.sampling(), request.seed());
        this.stops = new StopTexts(request.stop());
        this.promptTokens = prompt.length;
        this.tokens = prompt;
        this.cacheBytes = cacheBytes;
    }

    /** Ends the completion before its next token, and frees everything; the listener is told nothing. */
    public void cancel() {
        isCancelled = true;
    }

    boolean isCancelled() {
        return isCancelled;
    }

    CompletionListener listener() {
        return listener;
    }

    /** Returns when the last token came, {@code System.nanoTime}; 0 before the first. */
    long lastNanos() {
        return lastNanos;
    }

    /** Returns the number of tokens that were chosen. */
    int chosen() {
        return tokens.length - promptTokens;
    }

    /** Computes a part of the prompt, or chooses a token; returns the end if it is the last one. */
    @Nullable
    CompletionEnd turn() {
        // Not in the middle of a text: if versions come faster than it is computed, it would never end.
        if (request.isLive() && decoder != null && decoder.length() == tokens.length - 1) {
            follow();
        }
        float[] logits = advance();
        return logits == null ? null : choose(logits);
    }

    private @Nullable CompletionEnd choose(float[] logits) {
        int token = sampler.next(
                logits.length > tokenizer.vocabulary() ? Arrays.copyOf(logits, tokenizer.vocabulary()) : logits);
        lastNanos = System.nanoTime();
        tokens = Arrays.copyOf(tokens, tokens.length + 1);
        tokens[tokens.length - 1] = token;
        send(stops.append(characters.append(token)));
        if (stops.isStopped() || tokenizer.isEnd(token)) {
            return end(Reason.STOP);
        }
        return chosen() == request.maxTokens() ? end(Reason.LENGTH) : null;
    }

    /** Computes tokens that the decoder does not have yet; returns the logits of the next token once it has all. */
    private float @Nullable [] advance() {
        TextDecoder open = decoder;
        if (open == null) {
            Decoders decoders = lease.decoders().orElseThrow();
            open = decoders.open(mostTokens(promptTokens, request));
            decoder = open;
        }
        int from = open.length();
        // What is longer than the context goes in at once: most of it is not computed, as only its end is seen.
        boolean isLong = tokens.length > lease.network().inputSize();
        int to = isLong ? tokens.length : Math.min(tokens.length, from + TOKENS_OF_TURN);
        float[] logits = open.append(Arrays.copyOfRange(tokens, from, to));
        return to == tokens.length ? logits : null;
    }

    static int mostTokens(int promptTokens, CompletionRequest request) {
        return promptTokens + request.maxTokens();
    }

    /** Leases the version that the policy chooses now, if it reads the same tokens, and if there is memory for it. */
    private void follow() {
        VersionLease next = model.lease(WantedVersion.BY_POLICY).orElse(null);
        if (next == null) {
            return;
        }
        boolean continues = next.copy() != lease.copy()
                && next.network().equals(lease.network())
                && next.tokenizer().equals(lease.tokenizer());
        if (!continues || !memory.move(lease, next)) {
            next.close();
            return;
        }
        VersionLease before = lease;
        lease = next;
        try {
            closeDecoder();
        } finally {
            before.close();
        }
    }

    private void send(String text) {
        if (!text.isEmpty()) {
            listener.text(text, lease.version());
        }
    }

    private CompletionEnd end(Reason reason) {
        send(stops.rest());
        return new CompletionEnd(reason, promptTokens, chosen(), lease.version());
    }

    private void closeDecoder() {
        TextDecoder open = decoder;
        decoder = null;
        if (open != null) {
            open.close();
        }
    }

    void close() {
        try {
            closeDecoder();
        } finally {
            try {
                lease.close();
            } finally {
                memory.free(lease, cacheBytes);
            }
        }
    }
}

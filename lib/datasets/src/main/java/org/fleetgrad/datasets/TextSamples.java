package org.fleetgrad.datasets;

import org.fleetgrad.datasets.text.Tokens;

/**
 * A text as samples: windows of {@code context} tokens, whose labels are the tokens one place later. Immutable and thread-safe.
 *
 * <p>A text of T tokens has (T - 1) / context samples. Of training samples the last part of a window is left out, since each
 * epoch draws windows that begin anywhere; of held-out samples it is one more, which is filled up with labels that do not count.
 */
public final class TextSamples implements Samples {

    /** The label of a token whose prediction does not count, as in PyTorch. */
    public static final int IGNORED = -100;

    private final Tokens tokens;
    private final int context;
    private final boolean isHeldOut;

    private TextSamples(Tokens tokens, int context, boolean isHeldOut) {
        int least = isHeldOut ? 2 : context + 1;
        if (context < 1 || tokens.count() < least) {
            throw new IllegalArgumentException("a %s text has %d tokens; samples of %d tokens need at least %d"
                    .formatted(isHeldOut ? "held-out" : "training", tokens.count(), context, least));
        }
        this.tokens = tokens;
        this.context = context;
        this.isHeldOut = isHeldOut;
    }

    /**
     * Makes training samples.
     *
     * @throws IllegalArgumentException if the text is shorter than a window and its next token
     */
    public static TextSamples training(Tokens tokens, int context) {
        return new TextSamples(tokens, context, false);
    }

    /**
     * Makes held-out samples.
     *
     * @throws IllegalArgumentException if the text has fewer than two tokens
     */
    public static TextSamples heldOut(Tokens tokens, int context) {
        return new TextSamples(tokens, context, true);
    }

    /** Returns all tokens. */
    public Tokens tokens() {
        return tokens;
    }

    /** Returns the number of tokens of a sample. */
    public int context() {
        return context;
    }

    @Override
    public int count() {
        int predictions = tokens.count() - 1;
        return isHeldOut ? (predictions - 1) / context + 1 : predictions / context;
    }

    /** Copies samples with the token after them; the last of training samples keeps what is left out. */
    @Override
    public TextSamples slice(int from, int to) {
        if (from < 0 || from >= to || to > count()) {
            throw new IllegalArgumentException(
                    "a slice from %d to %d is not within %d samples".formatted(from, to, count()));
        }
        int end = to == count() ? tokens.count() : to * context + 1;
        return new TextSamples(tokens.slice(from * context, end), context, isHeldOut);
    }

    /** Returns the number of labels of samples that count. */
    public int labels(int from, int count) {
        return Math.min(tokens.count() - 1, (from + count) * context) - from * context;
    }

    /**
     * Writes a sample: the window at its place.
     *
     * @param inputs from {@code at} on gets the tokens; labels likewise
     */
    public void read(int index, float[] inputs, int[] labels, int at) {
        window(index * context, inputs, labels, at);
    }

    /**
     * Writes a window that begins at a random place.
     *
     * @param draw 64 random bits, which decide the place alone
     */
    public void draw(long draw, float[] inputs, int[] labels, int at) {
        // The high half of a product: each of the places is as likely as any other (D. Lemire 2019).
        window((int) Math.multiplyHigh(draw >>> 1, 2L * (tokens.count() - context)), inputs, labels, at);
    }

    private void window(int from, float[] inputs, int[] labels, int at) {
        int last = tokens.count() - 1;
        for (int i = 0; i < context; i++) {
            boolean isBeyond = from + i >= last;
            inputs[at + i] = isBeyond ? 0 : tokens.get(from + i);
            labels[at + i] = isBeyond ? IGNORED : tokens.get(from + i + 1);
        }
    }

    @Override
    public void requireFit(Schema schema) {
        if (!(schema instanceof TextSchema text)) {
            throw new IllegalArgumentException("the samples are texts; the description is of " + schema.task());
        }
        if (text.context() != context) {
            throw new IllegalArgumentException(
                    "the description states samples of %d tokens, they have %d".formatted(text.context(), context));
        }
        if (tokens.largest() >= text.tokenizer().vocabulary()) {
            throw new IllegalArgumentException("the largest token is %d, the vocabulary has the tokens 0 to %d"
                    .formatted(tokens.largest(), text.tokenizer().vocabulary() - 1));
        }
    }

    @Override
    public String toString() {
        return "TextSamples[%d of %d tokens]".formatted(count(), context);
    }
}

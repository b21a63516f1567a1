package org.fleetgrad.datasets;

import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.datasets.text.Tokens;
import org.fleetgrad.networks.Task;

/**
 * A text as samples of {@code context} tokens, whose labels are the tokens one place later. Immutable and thread-safe.
 *
 * <p>A training sample has a place in the text, every {@code context} tokens, and 2 {@code context} tokens from there on: each
 * epoch draws a window of them. So an epoch reads each part of the text once, cut elsewhere each time. The places are in random
 * order, the same each time: a shard has samples of the whole text. With shards of consecutive text, a small GPT's held-out loss
 * was larger by 0.07, since its last shard weighed most.
 *
 * <p>Held-out samples are the windows one after the other; the last one is filled up with labels that do not count.
 */
public final class TextSamples implements Samples {

    private final Tokens tokens;
    private final int context;
    private final boolean isHeldOut;

    private TextSamples(Tokens tokens, int context, boolean isHeldOut) {
        this.tokens = tokens;
        this.context = context;
        this.isHeldOut = isHeldOut;
    }

    /**
     * Makes the training samples of a text.
     *
     * @throws IllegalArgumentException if the text is too short for one
     */
    public static TextSamples training(Tokens text, int context) {
        int count = text.count() / context - 1;
        if (count < 1) {
            throw new IllegalArgumentException("a training text has %d tokens; samples of %d tokens need at least %d"
                    .formatted(text.count(), context, 2L * context));
        }
        int row = 2 * context;
        int[] rows = new int[Math.multiplyExact(count, row)];
        int to = 0;
        for (int place : SplitMix64.of(0, 0).permutation(count)) {
            for (int i = 0; i < row; i++) {
                rows[to++] = text.get(place * context + i);
            }
        }
        return new TextSamples(Tokens.of(rows), context, false);
    }

    /**
     * Takes training samples as a shard has them.
     *
     * @param rows 2 {@code context} tokens of each sample, one after the other
     * @throws IllegalArgumentException if there are none, or not whole samples
     */
    public static TextSamples ofRows(Tokens rows, int context) {
        if (rows.count() == 0 || rows.count() % (2L * context) != 0) {
            throw new IllegalArgumentException(
                    "%d tokens are not samples of %d with as many after them".formatted(rows.count(), context));
        }
        return new TextSamples(rows, context, false);
    }

    /**
     * Makes held-out samples.
     *
     * @throws IllegalArgumentException if the text has fewer than two tokens
     */
    public static TextSamples heldOut(Tokens text, int context) {
        if (text.count() < 2) {
            throw new IllegalArgumentException(
                    "a held-out text has %d tokens; it needs at least 2".formatted(text.count()));
        }
        return new TextSamples(text, context, true);
    }

    /** Returns all tokens: of a held-out text, or of the rows of training samples. */
    public Tokens tokens() {
        return tokens;
    }

    /** Returns the number of tokens of a sample. */
    public int context() {
        return context;
    }

    @Override
    public int count() {
        return isHeldOut ? (tokens.count() - 2) / context + 1 : tokens.count() / (2 * context);
    }

    @Override
    public TextSamples slice(int from, int to) {
        if (from < 0 || from >= to || to > count()) {
            throw new IllegalArgumentException(
                    "a slice from %d to %d is not within %d samples".formatted(from, to, count()));
        }
        int stride = isHeldOut ? context : 2 * context;
        int end = isHeldOut ? Math.min(tokens.count(), to * stride + 1) : to * stride;
        return new TextSamples(tokens.slice(from * stride, end), context, isHeldOut);
    }

    /**
     * Writes a held-out sample: the window at its place.
     *
     * @param inputs from {@code at} on gets the tokens; targets likewise gets each next one
     */
    public void read(int index, float[] inputs, float[] targets, int at) {
        window(index * context, inputs, targets, at);
    }

    /**
     * Writes a window of a training sample.
     *
     * @param draw 64 random bits, which decide alone where the window begins
     */
    public void draw(int index, long draw, float[] inputs, float[] targets, int at) {
        // The high half of a product: each of the places is as likely as any other (D. Lemire 2019).
        int offset = (int) Math.multiplyHigh(draw >>> 1, 2L * context);
        window(index * 2 * context + offset, inputs, targets, at);
    }

    private void window(int from, float[] inputs, float[] targets, int at) {
        int last = tokens.count() - 1;
        for (int i = 0; i < context; i++) {
            boolean isBeyond = from + i >= last;
            inputs[at + i] = isBeyond ? 0 : tokens.get(from + i);
            targets[at + i] = isBeyond ? Task.IGNORED_LABEL : tokens.get(from + i + 1);
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

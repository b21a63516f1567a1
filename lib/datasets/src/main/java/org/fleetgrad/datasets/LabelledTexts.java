package org.fleetgrad.datasets;

import org.fleetgrad.datasets.text.Tokens;

/**
 * Texts with a label each, as samples of {@code context} tokens that are filled up. Immutable and thread-safe.
 *
 * @param tokens  of all samples, one after the other
 * @param context tokens of a sample
 * @param labels  one of each sample
 */
public record LabelledTexts(Tokens tokens, int context, Labels labels) implements Samples {

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if there are no samples, or the tokens are not those of as many samples as labels
     */
    public LabelledTexts {
        if (labels.count() < 1 || tokens.count() != (long) labels.count() * context) {
            throw new IllegalArgumentException(
                    "%d tokens are not %d samples of %d tokens".formatted(tokens.count(), labels.count(), context));
        }
    }

    @Override
    public int count() {
        return labels.count();
    }

    @Override
    public LabelledTexts slice(int from, int to) {
        if (from < 0 || from >= to || to > count()) {
            throw new IllegalArgumentException(
                    "a slice from %d to %d is not within %d samples".formatted(from, to, count()));
        }
        return new LabelledTexts(tokens.slice(from * context, to * context), context, labels.slice(from, to));
    }

    /**
     * Writes a sample.
     *
     * @param inputs of a batch, which gets the tokens; {@code targets} likewise gets the label
     * @param place  of the sample in the batch
     */
    public void read(int index, float[] inputs, float[] targets, int place) {
        for (int i = 0; i < context; i++) {
            inputs[place * context + i] = tokens.get(index * context + i);
        }
        targets[place] = labels.get(index);
    }

    @Override
    public void requireFit(Schema schema) {
        if (!(schema instanceof LabelledTextSchema texts)) {
            throw new IllegalArgumentException(
                    "the samples are texts with labels; the description is of " + schema.task());
        }
        if (texts.encoding().context() != context) {
            throw new IllegalArgumentException("the description states samples of %d tokens, they have %d"
                    .formatted(texts.encoding().context(), context));
        }
        int vocabulary = texts.task().vocabulary();
        if (tokens.largest() >= vocabulary) {
            throw new IllegalArgumentException("the largest token is %d, the vocabulary has the tokens 0 to %d"
                    .formatted(tokens.largest(), vocabulary - 1));
        }
        if (labels.largest() >= texts.classes().size()) {
            throw new IllegalArgumentException("the largest label is %d, there are %d classes"
                    .formatted(labels.largest(), texts.classes().size()));
        }
        for (int sample = 0; sample < count(); sample++) {
            if (tokens.get(sample * context) == texts.encoding().padding()) {
                throw new IllegalArgumentException("sample %d begins with padding, the token %d"
                        .formatted(sample, texts.encoding().padding()));
            }
        }
    }
}

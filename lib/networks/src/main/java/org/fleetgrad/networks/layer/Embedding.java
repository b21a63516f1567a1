package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * A row of a table for each token: tensor {@code weight} [count, width], initially normal with a standard deviation of 0.02, as
 * in GPT-2 and BERT. A sample is the numbers of its tokens, as float32, which is exact below 2^24.
 *
 * @param count   rows, one for each token of the vocabulary
 * @param width   features of a token
 * @param initial values of the table
 */
public record Embedding(int count, int width, InitialValues initial) implements Layer {

    /** Float32 has each whole number up to this one. */
    public static final int MOST_ROWS = 1 << 24;

    public Embedding {
        if (count < 1 || count > MOST_ROWS || width < 1) {
            throw new IllegalArgumentException("an embedding has 1 to %d rows of 1 or more features; it is %d of %d"
                    .formatted(MOST_ROWS, count, width));
        }
        if (initial instanceof InitialValues.ZeroRow zero && (zero.row() >= count || zero.width() != width)) {
            throw new IllegalArgumentException("an embedding of %d rows of %d has no row %d of %d"
                    .formatted(count, width, zero.row(), zero.width()));
        }
    }

    /** Makes a table of normal values. */
    public Embedding(int count, int width) {
        this(count, width, InitialValues.TRANSFORMER);
    }

    /** Makes a table whose row of the token that fills samples up is initially 0, as PyTorch's {@code padding_idx} does. */
    public static Embedding padded(int count, int width, int padding) {
        return new Embedding(count, width, new InitialValues.ZeroRow(InitialValues.TRANSFORMER, padding, width));
    }

    @Override
    public List<LayerTensor> tensors() {
        return List.of(LayerTensor.trainable("weight", initial, count, width));
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        if (input.size() != 1) {
            throw new IllegalArgumentException("an embedding takes [tokens]; it gets " + input);
        }
        return List.of(input.get(0), width);
    }
}

package org.fleetgrad.networks.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * Long short-term memory (S. Hochreiter, J. Schmidhuber 1997), one place of a series after the other, as PyTorch's {@code LSTM}; its
 * output is the last layer's state at the last place: from [channels, length] to [hidden]. Tensors of layer k: {@code weight_ih_lk}
 * [4 hidden, in], {@code weight_hh_lk} [4 hidden, hidden], {@code bias_ih_lk} and {@code bias_hh_lk} [4 hidden], with PyTorch's
 * default initial values: uniform in ±1/sqrt(hidden).
 *
 * @param in     channels of the series
 * @param hidden features of the state
 * @param layers LSTMs, each of which gets the states of the one before
 */
public record Lstm(int in, int hidden, int layers) implements Layer {

    /** Input, forget, cell and output. */
    public static final int GATES = 4;

    private static final int MOST_LAYERS = 64;

    public Lstm {
        Shapes.requirePositive("an LSTM", in, hidden, layers);
        if (layers > MOST_LAYERS) {
            throw new IllegalArgumentException(
                    "an LSTM has at most %d layers; it has %d".formatted(MOST_LAYERS, layers));
        }
    }

    @Override
    public List<LayerTensor> tensors() {
        InitialValues uniform = InitialValues.fanInUniform(hidden);
        int gates = GATES * hidden;
        List<LayerTensor> tensors = new ArrayList<>();
        for (int layer = 0; layer < layers; layer++) {
            tensors.add(LayerTensor.trainable("weight_ih_l" + layer, uniform, gates, layer == 0 ? in : hidden));
            tensors.add(LayerTensor.trainable("weight_hh_l" + layer, uniform, gates, hidden));
            tensors.add(LayerTensor.trainable("bias_ih_l" + layer, uniform, gates));
            tensors.add(LayerTensor.trainable("bias_hh_l" + layer, uniform, gates));
        }
        return tensors;
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireSeries("an LSTM", in, input);
        return List.of(hidden);
    }

    /**
     * Returns how many values libtorch holds at the same time to compute one sample: the series by place, the gates of all places of
     * one layer, and the states of this layer and of the one before.
     */
    public long work(List<Integer> input) {
        return (long) input.get(1) * (in + (GATES + 2L) * hidden);
    }
}

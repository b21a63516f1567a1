package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Batch normalization of features, or of the channels of a series (S. Ioffe, C. Szegedy 2015): as {@link BatchNorm2d}, which
 * normalizes those of images.
 *
 * @param features features or channels, in and out
 */
public record BatchNorm1d(int features) implements Layer {

    public BatchNorm1d {
        Shapes.requirePositive("a batch normalization", features);
    }

    @Override
    public List<LayerTensor> tensors() {
        return new BatchNorm2d(features).tensors();
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        if (input.isEmpty() || input.size() > 2 || input.get(0) != features) {
            throw new IllegalArgumentException(
                    "a batch normalization takes [%d], or series of them; it gets %s".formatted(features, input));
        }
        return input;
    }
}

package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Batch normalization of features (S. Ioffe, C. Szegedy 2015): as {@link BatchNorm2d}, which normalizes channels.
 *
 * @param features features in and out
 */
public record BatchNorm1d(int features) implements Layer {

    @Override
    public List<LayerTensor> tensors() {
        return new BatchNorm2d(features).tensors();
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        if (!input.equals(List.of(features))) {
            throw new IllegalArgumentException(
                    "a batch normalization takes [%d]; it gets %s".formatted(features, input));
        }
        return input;
    }
}

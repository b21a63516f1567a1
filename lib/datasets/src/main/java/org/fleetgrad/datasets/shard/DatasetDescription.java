package org.fleetgrad.datasets.shard;

import java.util.List;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.DatasetName;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.files.Sha256;

/**
 * The description of a shard: its {@code dataset.json}.
 *
 * @param name          name of the dataset: letters, digits, dots, dashes and underscores
 * @param split         the purpose of the samples
 * @param classes       name of each class, in the order of the labels; 1 to 65,536
 * @param shape         an image's shape: [channels, height, width]
 * @param normalization scaling of the pixels, measured over the training samples of the whole dataset
 * @param range         the samples' range in the split
 * @param sha256        SHA-256 of {@code data.safetensors}
 */
public record DatasetDescription(
        String name,
        Split split,
        List<String> classes,
        List<Integer> shape,
        Normalization normalization,
        SampleRange range,
        String sha256) {

    public DatasetDescription {
        DatasetName.require(name);
        classes = List.copyOf(classes);
        shape = List.copyOf(shape);
        ClassNames.require(classes);
        if (shape.size() != 3 || shape.stream().anyMatch(dimension -> dimension < 1)) {
            throw new IllegalArgumentException("a shape must be [channels, height, width]; it is " + shape);
        }
        int channels = shape.get(0);
        if (normalization.mean().size() != channels) {
            throw new IllegalArgumentException("the normalization has %d channels, the shape %s has %d"
                    .formatted(normalization.mean().size(), shape, channels));
        }
        if (!Sha256.isDigest(sha256)) {
            throw new IllegalArgumentException(
                    "a SHA-256 must have 64 lower-case hexadecimal digits; it is '%s'".formatted(sha256));
        }
    }
}

package org.fleetgrad.datasets.shard;

import java.util.List;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.files.Sha256;

/**
 * What a shard says of itself: its {@code dataset.json}.
 *
 * @param name          name of the dataset; of letters, digits, dots, dashes and underscores
 * @param split         what the samples are for
 * @param classes       what each label means, in the order of the labels; 1 to 256
 * @param shape         an image's shape: [channels, height, width]
 * @param normalization scaling of the pixels, measured over the training samples of the whole dataset
 * @param range         which samples of the split these are
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

    /** Checks each value and that they agree. */
    public DatasetDescription {
        DatasetName.require(name);
        classes = List.copyOf(classes);
        shape = List.copyOf(shape);
        if (classes.isEmpty() || classes.size() > 256) {
            throw new IllegalArgumentException("a dataset has 1 to 256 classes, not %d".formatted(classes.size()));
        }
        if (shape.size() != 3 || shape.stream().anyMatch(dimension -> dimension < 1)) {
            throw new IllegalArgumentException("a shape is [channels, height, width], not " + shape);
        }
        int channels = shape.get(0);
        if (normalization.mean().size() != channels) {
            throw new IllegalArgumentException("the normalization has %d channels, the shape %s has %d"
                    .formatted(normalization.mean().size(), shape, channels));
        }
        if (!Sha256.isDigest(sha256)) {
            throw new IllegalArgumentException(
                    "a SHA-256 has 64 lower-case hexadecimal digits, not '%s'".formatted(sha256));
        }
    }
}

package org.fleetgrad.datasets;

import java.util.List;
import java.util.Map;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.MetadataKeys;
import tools.jackson.databind.json.JsonMapper;

/**
 * Images in classes.
 *
 * @param classes       name of each class, in the order of the labels
 * @param shape         an image's shape: [channels, height, width]
 * @param normalization scaling of the pixels, measured over the training samples of the whole dataset
 */
public record ImageSchema(List<String> classes, List<Integer> shape, Normalization normalization) implements Schema {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the classes break their rules, or the shape is not an image's, or the normalization has
     *     other channels
     */
    public ImageSchema {
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
    }

    @Override
    public Task task() {
        return new ImageClassification(shape, classes.size());
    }

    @Override
    public Map<String, String> metadata() {
        JsonMapper json = JsonMapper.shared();
        return Map.of(
                MetadataKeys.CLASSES,
                json.writeValueAsString(classes),
                MetadataKeys.NORMALIZATION,
                json.writeValueAsString(Map.of("mean", normalization.mean(), "std", normalization.std())));
    }
}

package org.fleetgrad.serving;

import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * The result of classifying several images with one version.
 *
 * @param version the version that classified all of them
 * @param images  one result for each image, in order
 */
public record Classification(ParameterVersion version, List<Scores> images) {

    public Classification {
        images = List.copyOf(images);
    }

    /**
     * The result for one image.
     *
     * @param label         name of the most probable class
     * @param index         number of the most probable class
     * @param probabilities of each class; they sum to 1
     */
    public record Scores(String label, int index, List<Float> probabilities) {}
}

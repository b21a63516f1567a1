package org.fleetgrad.inference.model;

import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * What one version takes several images for.
 *
 * @param version the version that made every one of them
 * @param images  one for each image, in order
 */
public record Classification(ParameterVersion version, List<Scores> images) {

    /** Copies the list. */
    public Classification {
        images = List.copyOf(images);
    }

    /**
     * What one image is taken for.
     *
     * @param label         name of the most probable class
     * @param index         the most probable class
     * @param probabilities of each class; they sum to 1
     */
    public record Scores(String label, int index, List<Float> probabilities) {}
}

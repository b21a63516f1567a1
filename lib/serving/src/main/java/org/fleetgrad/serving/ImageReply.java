package org.fleetgrad.serving;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * The result for one image, in the response of every {@code POST /predict}.
 *
 * @param label         name of the most probable class
 * @param index         number of the most probable class
 * @param probabilities of each class
 */
public record ImageReply(
        String label, @JsonProperty("class") int index, List<Float> probabilities) {

    /** Returns one result for each image, in order. */
    public static List<ImageReply> listOf(Classification classification) {
        return classification.images().stream()
                .map(image -> new ImageReply(image.label(), image.index(), image.probabilities()))
                .toList();
    }
}

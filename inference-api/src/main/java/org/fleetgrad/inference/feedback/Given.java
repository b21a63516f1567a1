package org.fleetgrad.inference.feedback;

import java.util.List;

/**
 * Feedback on one answer.
 *
 * @param answer its id
 * @param labels one for each of its predictions, in order
 */
public record Given(String answer, List<Label> labels) {

    public Given {
        labels = List.copyOf(labels);
    }
}

package org.fleetgrad.benchmarks.serving.torn;

import java.util.List;

/**
 * What to ask.
 *
 * @param networks names of the networks
 * @param images   images of a request
 * @param seconds  of training and asking, for each network and size
 */
public record TornPlan(List<String> networks, List<Integer> images, double seconds) {

    /** Copies the lists. */
    public TornPlan {
        networks = List.copyOf(networks);
        images = List.copyOf(images);
    }
}

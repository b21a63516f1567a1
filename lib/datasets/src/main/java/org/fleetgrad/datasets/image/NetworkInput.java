package org.fleetgrad.datasets.image;

import java.util.List;

/**
 * The images that a run's network takes, to which images of other sizes are brought.
 *
 * @param network  its own name, such as {@code resnet20}
 * @param shape    [channels, height, width]
 * @param isStated whether the network takes no other images; else this is its usual shape, and images of one size keep it
 */
public record NetworkInput(String network, List<Integer> shape, boolean isStated) {

    public NetworkInput {
        shape = List.copyOf(shape);
    }

    int channels() {
        return shape.get(0);
    }

    int height() {
        return shape.get(1);
    }

    int width() {
        return shape.get(2);
    }
}

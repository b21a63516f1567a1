package org.fleetgrad.networks.zoo;

import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.layer.Sequential;

/** Counts the features that a network's first layers output for an image. */
final class Features {

    private Features() {}

    /**
     * Returns the number of features.
     *
     * @param layers end with a row of features
     * @throws IllegalArgumentException if the images are too small
     */
    static int after(Sequential layers, NetworkName name) {
        try {
            return layers.output(name.input()).get(0);
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException(
                    "the network '%s' cannot take images of %s: %s".formatted(name, name.input(), unfit.getMessage()));
        }
    }
}

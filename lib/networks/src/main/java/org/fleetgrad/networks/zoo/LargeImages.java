package org.fleetgrad.networks.zoo;

import java.util.List;
import org.fleetgrad.networks.NetworkFamily;

/** The defaults of the networks for ImageNet's images. */
interface LargeImages extends NetworkFamily {

    @Override
    default List<Integer> usualInput(String base) {
        return List.of(3, 224, 224);
    }

    @Override
    default int usualClasses(String base) {
        return 1000;
    }
}

package org.fleetgrad.networks.zoo;

import java.util.List;
import org.fleetgrad.networks.NetworkFamily;

/** What the networks for ImageNet's images have in common. */
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

package org.fleetgrad.networks.zoo;

import java.util.List;
import org.fleetgrad.networks.NetworkFamily;

/** The defaults of the networks for MNIST's images. */
interface Small extends NetworkFamily {

    @Override
    default List<Integer> usualInput(String base) {
        return List.of(1, 28, 28);
    }

    @Override
    default int usualClasses(String base) {
        return 10;
    }
}

package org.fleetgrad.networks.zoo;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkFamily;

/** What the networks for MNIST's images have in common. */
interface Small extends NetworkFamily {

    @Override
    default List<Integer> usualInput(String base) {
        return List.of(1, 28, 28);
    }

    @Override
    default int usualClasses(String base) {
        return 10;
    }

    @Override
    default SortedMap<String, String> defaults(String base, List<Integer> input) {
        return new TreeMap<>();
    }
}

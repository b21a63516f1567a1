package org.fleetgrad.networks;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * Networks of one architecture, such as the ResNets: their names, their arguments, and how each is built. Stateless and
 * thread-safe.
 */
public interface NetworkFamily {

    /** Returns the names of its networks, as in {@link NetworkName#base}. */
    List<String> names();

    /** Describes one of its networks in a line. */
    String describe(String base);

    /** Returns the shape of the images that one of its networks is usually trained on. */
    List<Integer> usualInput(String base);

    /** Returns the number of classes that one of its networks usually has. */
    int usualClasses(String base);

    /**
     * Returns the arguments that a name may have besides {@code classes} and {@code input}, each with its default value; by
     * default there are none.
     *
     * @param input the shape of an image: [channels, height, width]
     */
    default SortedMap<String, String> defaults(String base, List<Integer> input) {
        return Collections.emptySortedMap();
    }

    /**
     * Builds a network.
     *
     * @param name has each of its arguments
     * @throws IllegalArgumentException if an argument's value is not valid
     */
    NetworkDefinition define(NetworkName name);
}

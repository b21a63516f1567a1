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

    /** Returns whether only a name's arguments say what a network is: then there is no usual one to list. */
    default boolean isDefinedByArguments() {
        return false;
    }

    /** Describes one of its networks in a line. */
    String describe(String base);

    /** Returns the task that one of its networks usually solves. */
    Task usual(String base);

    /** Returns the task that a network usually solves, if the arguments of its name say of which kind it is. */
    default Task usual(NetworkName name) {
        return usual(name.base());
    }

    /**
     * Returns the arguments that a name may have besides those of the task, each with its default value; by default there are
     * none.
     *
     * @param task of the network, or its usual one
     */
    default SortedMap<String, String> defaults(String base, Task task) {
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

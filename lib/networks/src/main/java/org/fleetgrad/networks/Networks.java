package org.fleetgrad.networks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The zoo: all networks by name. */
public final class Networks {

    private static final Map<String, Architecture> BY_NAME = byName(List.of(new LeNet5()));

    private Networks() {}

    private static Map<String, Architecture> byName(List<Architecture> all) {
        Map<String, Architecture> map = new TreeMap<>();
        all.forEach(architecture -> map.put(architecture.spec().name(), architecture));
        return map;
    }

    /** Returns the names of all networks, sorted. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /**
     * Finds a network by its name. Does not load libtorch.
     *
     * @throws IllegalArgumentException if there is no such network; the message lists the names
     */
    public static NetworkDefinition named(String name) {
        return architecture(name);
    }

    /**
     * Loads a network on a device. Its parameters are zeros until the first {@link Network#load}.
     *
     * @throws IllegalArgumentException if there is no such network or device
     */
    public static Network open(String name, Device device) {
        return new LibtorchNetwork(architecture(name), device);
    }

    private static Architecture architecture(String name) {
        Architecture architecture = BY_NAME.get(name);
        if (architecture == null) {
            throw new IllegalArgumentException(
                    "there is no network '%s'; the networks are %s".formatted(name, String.join(", ", names())));
        }
        return architecture;
    }
}

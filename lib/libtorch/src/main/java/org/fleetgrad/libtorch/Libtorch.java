package org.fleetgrad.libtorch;

import ai.djl.engine.Engine;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;

/** Puts networks into libtorch's memory. The first call loads libtorch. */
public final class Libtorch {

    private Libtorch() {}

    /**
     * Opens a network on a device. Its parameters are zeros until the first {@link Network#load}.
     *
     * @throws IllegalArgumentException if there is no such device
     */
    public static Network open(NetworkDefinition definition, Device device) {
        return instance(definition, device);
    }

    /**
     * Opens the network that a complete name fixes.
     *
     * @throws IllegalArgumentException if there is no such network or device
     */
    public static Network open(String complete, Device device) {
        return open(Networks.named(complete), device);
    }

    static LibtorchNetwork instance(NetworkDefinition definition, Device device) {
        Engine engine = LibtorchEngine.get();
        return new LibtorchNetwork(definition, engine, device.open(engine));
    }
}

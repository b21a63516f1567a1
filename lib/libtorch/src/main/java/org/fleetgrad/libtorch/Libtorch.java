package org.fleetgrad.libtorch;

import ai.djl.engine.Engine;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.stage.StageNetwork;

/** Opens networks in libtorch's memory. The first call loads libtorch. No public method has a type of DJL. */
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
     * Opens the network of a complete name.
     *
     * @throws IllegalArgumentException if there is no such network or device
     */
    public static Network open(String complete, Device device) {
        return open(Networks.named(complete), device);
    }

    /**
     * Opens blocks of a network as a stage of a pipeline, on the processor. Its state has the network's initial values.
     *
     * @param labelSmoothing of the loss, if these are the last blocks: see {@link Network#accumulate}
     */
    public static StageNetwork stage(BlockRange range, float labelSmoothing) {
        return new LibtorchStage(range, labelSmoothing, LibtorchEngine.get());
    }

    /**
     * Checks that there is such a device, before anything is fetched for it. The processor always exists.
     *
     * @throws IllegalArgumentException if there is not; the message lists the valid names
     */
    public static void require(Device device) {
        if (!device.equals(Device.CPU)) {
            ai.djl.Device unused = device.open(LibtorchEngine.get());
        }
    }

    static LibtorchNetwork instance(NetworkDefinition definition, Device device) {
        Engine engine = LibtorchEngine.get();
        return new LibtorchNetwork(definition, engine, device.open(engine));
    }
}

package org.fleetgrad.libtorch;

import ai.djl.engine.Engine;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.stage.StageNetwork;

/** Opens networks in libtorch's memory. The first call loads libtorch. No public method has a type of DJL. */
public final class Libtorch {

    private static final String OFFLINE = "ai.djl.offline";
    private static final String THREADS = "ai.djl.pytorch.num_threads";
    private static final String INTEROP_THREADS = "ai.djl.pytorch.num_interop_threads";

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
        return new LibtorchStage(range, labelSmoothing, engine());
    }

    /**
     * Checks that there is such a device, before anything is fetched for it. The processor always exists.
     *
     * @throws IllegalArgumentException if there is not; the message lists the valid names. Or if libtorch cannot be loaded: that for CUDA
     *     is no part of a build
     */
    public static void require(Device device) {
        if (!device.equals(Device.CPU)) {
            ai.djl.Device unused = device.open(loaded(device));
        }
    }

    private static Engine loaded(Device device) {
        try {
            return engine();
        } catch (ExceptionInInitializerError | NoClassDefFoundError broken) {
            Throwable cause = broken;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new IllegalArgumentException(
                    "device %s: libtorch cannot be loaded: %s; docker/libtorch-cuda makes one for CUDA"
                            .formatted(device, cause.getMessage()),
                    broken);
        }
    }

    /**
     * Loads libtorch in a thread of its own, while the program still starts. Where it cannot be loaded, the first call says so as
     * it does otherwise.
     */
    public static void loadMeanwhile() {
        Thread loading = new Thread(
                () -> {
                    try {
                        Engine unused = engine();
                    } catch (RuntimeException | LinkageError again) {
                        // The first call that needs libtorch fails with this as its cause.
                    }
                },
                "load-libtorch");
        loading.setDaemon(true);
        loading.start();
    }

    static LibtorchNetwork instance(NetworkDefinition definition, Device device) {
        return new LibtorchNetwork(definition, engine(), device.open(engine()));
    }

    static Engine engine() {
        return Loaded.ENGINE;
    }

    /** Initialized at first use, so that a program without computations never loads libtorch. */
    private static final class Loaded {

        static final Engine ENGINE = load();

        private static Engine load() {
            // The native libraries are on the class path; DJL must not download them.
            setIfAbsent(OFFLINE, "true");
            // One thread per worker: small networks gain nothing from more, and workers on one machine would compete.
            setIfAbsent(THREADS, "1");
            setIfAbsent(INTEROP_THREADS, "1");
            return Engine.getEngine("PyTorch");
        }

        private static void setIfAbsent(String property, String value) {
            if (System.getProperty(property) == null) {
                System.setProperty(property, value);
            }
        }
    }
}

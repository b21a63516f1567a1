package org.fleetgrad.networks;

import ai.djl.engine.Engine;

/** Loads libtorch once, set up for workers that share a machine. */
final class LibtorchEngine {

    private static final String OFFLINE = "ai.djl.offline";
    private static final String THREADS = "ai.djl.pytorch.num_threads";
    private static final String INTEROP_THREADS = "ai.djl.pytorch.num_interop_threads";

    private LibtorchEngine() {}

    static Engine get() {
        return Loaded.ENGINE;
    }

    /** Initialized at the first use, so that a program that never computes never loads libtorch. */
    private static final class Loaded {

        static final Engine ENGINE = load();

        private static Engine load() {
            // Natives come from the class path or not at all.
            setIfAbsent(OFFLINE, "true");
            // One thread a worker: small networks gain nothing from more, and workers on one machine take each other's.
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

package org.fleetgrad.libtorch;

import ai.djl.engine.Engine;

/** Loads libtorch once, with settings for several workers on one machine. */
final class LibtorchEngine {

    private static final String OFFLINE = "ai.djl.offline";
    private static final String THREADS = "ai.djl.pytorch.num_threads";
    private static final String INTEROP_THREADS = "ai.djl.pytorch.num_interop_threads";

    private LibtorchEngine() {}

    static Engine get() {
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

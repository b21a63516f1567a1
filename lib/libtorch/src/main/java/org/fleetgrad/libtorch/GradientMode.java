package org.fleetgrad.libtorch;

import ai.djl.pytorch.jni.JniUtils;
import java.util.function.Supplier;

/**
 * Switches libtorch's recording of operations for a backward pass.
 *
 * <p>Each thread has its own mode, which is on at first. DJL's gradient collector could set the mode too, but allows
 * only one collecting thread in a process.
 */
final class GradientMode {

    private GradientMode() {}

    /** Runs {@code work} and records its operations. */
    static <T> T on(Supplier<T> work) {
        return set(true, work);
    }

    /** Runs {@code work} without recording, which saves time and memory. */
    static <T> T off(Supplier<T> work) {
        return set(false, work);
    }

    private static <T> T set(boolean mode, Supplier<T> work) {
        boolean before = JniUtils.isGradMode();
        JniUtils.setGradMode(mode);
        try {
            return work.get();
        } finally {
            JniUtils.setGradMode(before);
        }
    }
}

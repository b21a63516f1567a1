package org.fleetgrad.networks;

import ai.djl.pytorch.jni.JniUtils;
import java.util.function.Supplier;

/**
 * Whether libtorch records operations for a backward pass.
 *
 * <p>The mode is each thread's own, and begins on. DJL's gradient collector would set it too, but lets only one thread
 * of the process collect at a time.
 */
final class GradientMode {

    private GradientMode() {}

    /** Runs {@code work} with operations recorded. */
    static <T> T on(Supplier<T> work) {
        return set(true, work);
    }

    /** Runs {@code work} without a record, which would cost time and memory. */
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

package org.fleetgrad.benchmarks.serving.torn;

/**
 * A response from the trained tensors, and what it says of itself.
 *
 * @param version the version that was loaded when it began
 * @param until   the newest version whose load had begun when it was complete
 * @param image   the first image that it is about
 * @param logits  of all its images
 */
record LiveAnswer(long version, long until, int image, float[] logits) {

    /** Returns whether a load came between: only then may it be torn. */
    boolean isOverlapped() {
        return until != version;
    }
}

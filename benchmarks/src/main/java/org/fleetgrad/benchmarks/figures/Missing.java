package org.fleetgrad.benchmarks.figures;

/**
 * A figure that was not measured.
 *
 * @param name   the figure, or the measurement that would have produced it
 * @param why    whether it was skipped or failed
 * @param reason what is missing and how to get it, or the failure
 */
public record Missing(String name, Why why, String reason) implements Result {

    /** Whether a missing figure is a failure. */
    public enum Why {
        /** This machine lacks something that the measurement needs. */
        SKIPPED,
        /** The measurement failed. */
        FAILED
    }

    /** Makes a skipped figure; {@code reason} says what to install. */
    public static Missing skipped(String name, String reason) {
        return new Missing(name, Why.SKIPPED, reason);
    }

    /** Makes a failed figure; {@code reason} is the failure. */
    public static Missing failed(String name, String reason) {
        return new Missing(name, Why.FAILED, reason);
    }
}

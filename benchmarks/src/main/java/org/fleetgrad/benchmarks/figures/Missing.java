package org.fleetgrad.benchmarks.figures;

/**
 * A figure that was not measured.
 *
 * @param name   the figure, or the measurement that would have brought it
 * @param why    whether that was to be expected
 * @param reason what is absent and how to get it, or what went wrong
 */
public record Missing(String name, Why why, String reason) implements Result {

    /** Whether a missing figure is a failure. */
    public enum Why {
        /** This machine has not what it takes. */
        SKIPPED,
        /** It was tried and went wrong. */
        FAILED
    }

    /** Says what to install. */
    public static Missing skipped(String name, String reason) {
        return new Missing(name, Why.SKIPPED, reason);
    }

    /** Says what went wrong. */
    public static Missing failed(String name, String reason) {
        return new Missing(name, Why.FAILED, reason);
    }
}

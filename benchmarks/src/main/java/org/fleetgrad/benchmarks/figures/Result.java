package org.fleetgrad.benchmarks.figures;

/** The result of a measurement: a figure, or the reason why there is none. */
public sealed interface Result permits Figure, Result.Missing {

    String name();

    /**
     * A figure that was not measured, or a measurement that would have produced some.
     *
     * @param isFailed whether the measurement failed; else this machine lacks something that it needs
     * @param reason   what is missing and how to get it, or the failure
     */
    record Missing(String name, boolean isFailed, String reason) implements Result {

        /** Makes a skipped figure; {@code reason} says what to install. */
        public static Missing skipped(String name, String reason) {
            return new Missing(name, false, reason);
        }

        /** Makes a failed figure; {@code reason} is the failure. */
        public static Missing failed(String name, String reason) {
            return new Missing(name, true, reason);
        }

        /** Returns the word for it in JSON and tables. */
        public String word() {
            return isFailed ? "failed" : "skipped";
        }
    }
}

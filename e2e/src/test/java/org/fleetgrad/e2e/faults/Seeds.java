package org.fleetgrad.e2e.faults;

/** The seed of these tests' randomness: {@code -Dfaults.seed=42} repeats the run of a failure that printed it. */
final class Seeds {

    private Seeds() {}

    static long first() {
        return Long.getLong("faults.seed", System.nanoTime() & 0xFFFFFFFL);
    }
}

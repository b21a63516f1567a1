package org.fleetgrad.e2e.faults;

/** Where the randomness of these tests comes from: {@code -Dfaults.seed=42} repeats what a failure has printed. */
final class Seeds {

    private Seeds() {}

    static long first() {
        return Long.getLong("faults.seed", System.nanoTime() & 0xFFFFFFFL);
    }
}

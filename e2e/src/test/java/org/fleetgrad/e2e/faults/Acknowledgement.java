package org.fleetgrad.e2e.faults;

/**
 * That a gradient was taken, as its worker was told; of a duplicate, what its first push was answered.
 *
 * @param isApplied whether it made a step; otherwise it was buffered
 * @param version   version after its step, or the version it waits at
 */
record Acknowledgement(String worker, long sequence, boolean isApplied, long version, long baseVersion, long samples) {

    /** Returns the version that its step makes. */
    long step() {
        return isApplied ? version : version + 1;
    }
}

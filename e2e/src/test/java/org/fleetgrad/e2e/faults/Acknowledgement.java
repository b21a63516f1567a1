package org.fleetgrad.e2e.faults;

/**
 * The acknowledgement of a gradient, as its worker received it; for a duplicate, the answer to its first push.
 *
 * @param isApplied whether it made a step; otherwise it was buffered
 * @param version   version after its step, or the version at which it was buffered
 */
record Acknowledgement(String worker, long sequence, boolean isApplied, long version, long baseVersion, long samples) {

    /** Returns the version that its step produces. */
    long step() {
        return isApplied ? version : version + 1;
    }
}

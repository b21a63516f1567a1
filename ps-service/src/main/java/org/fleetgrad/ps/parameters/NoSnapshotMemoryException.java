package org.fleetgrad.ps.parameters;

/** There is no memory now for a version's bytes in an encoding; there may be when a slow reader releases its version. */
public final class NoSnapshotMemoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoSnapshotMemoryException(String message) {
        super(message, null, false, false);
    }
}

package org.fleetgrad.ps.parameters;

/** A version's bytes in an encoding find no memory now; they may when a slow reader lets go. */
public final class NoSnapshotMemoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoSnapshotMemoryException(String message) {
        super(message, null, false, false);
    }
}

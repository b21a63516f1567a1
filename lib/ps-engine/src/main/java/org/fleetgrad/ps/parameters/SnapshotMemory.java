package org.fleetgrad.ps.parameters;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of snapshots and their encoded copies, in bytes. Bytes are reserved before a buffer is allocated,
 * and released with its last reader. Thread-safe.
 */
public final class SnapshotMemory {

    private final boolean isFixed;
    private volatile long limitBytes;
    private final AtomicLong used = new AtomicLong();

    /**
     * @param limitBytes maximum bytes of all live versions
     * @param isFixed    whether a parameter set that needs more to be served at all does not raise the bound
     */
    public SnapshotMemory(long limitBytes, boolean isFixed) {
        this.limitBytes = limitBytes;
        this.isFixed = isFixed;
    }

    /** Raises the bound to so many bytes, unless it was configured or is higher. One thread at a time calls it. */
    void raiseTo(long bytes) {
        if (!isFixed && bytes > limitBytes) {
            limitBytes = bytes;
        }
    }

    /** Reserves bytes, or returns false if they do not fit. */
    boolean tryReserve(long bytes) {
        // Not added and taken back: bytes that do not fit would refuse others that do, meanwhile.
        while (true) {
            long now = used.get();
            if (bytes > limitBytes - now) {
                return false;
            }
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Tells whether so many bytes are free. */
    boolean hasFree(long bytes) {
        return bytes <= limitBytes - used.get();
    }

    /** Returns the maximum bytes of all live versions. */
    public long limitBytes() {
        return limitBytes;
    }

    /** Returns the bytes of the live versions. */
    public long usedBytes() {
        return used.get();
    }

    /**
     * There is no memory now for a version's bytes in an encoding; there may be when a slow reader releases its
     * version.
     */
    public static final class NoSnapshotMemoryException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NoSnapshotMemoryException(String message) {
            super(message, null, false, false);
        }
    }
}

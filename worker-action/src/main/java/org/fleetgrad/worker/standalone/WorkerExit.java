package org.fleetgrad.worker.standalone;

/** How a standalone worker ends, and the code that its process exits with. */
public enum WorkerExit {

    /** All of the work is done. */
    DONE(0),

    /** The program itself is at fault, or its heap is full. */
    INTERNAL(1),

    /** Arguments, parameters or settings are wrong. */
    USAGE(2),

    /** Another try would meet the same: keys that are refused, a damaged shard, a diverged model. */
    REFUSED(3),

    /** What another try may have helped against lasted too long. */
    GAVE_UP(4),

    /** A SIGTERM ended it; the JVM makes this code by itself. */
    STOPPED(143);

    private final int code;

    WorkerExit(int code) {
        this.code = code;
    }

    /** Returns the exit code. */
    public int code() {
        return code;
    }
}

package org.fleetgrad.worker.standalone;

/** How a standalone worker ends, and the exit code of its process. */
public enum WorkerExit {

    /** All of the work is done. */
    DONE(0),

    /** A bug in the program, or its heap is full. */
    INTERNAL(1),

    /** Arguments, parameters or settings are wrong. */
    USAGE(2),

    /** A retry would not help: the server refuses the keys, a shard is damaged, or the model diverged. */
    REFUSED(3),

    /** Failures that a retry may help lasted too long. */
    GAVE_UP(4),

    /** A SIGTERM ended it; the JVM sets this code by itself. */
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

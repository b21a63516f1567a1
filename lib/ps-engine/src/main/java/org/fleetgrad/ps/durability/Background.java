package org.fleetgrad.ps.durability;

/** Runs one task at a time beside its caller. */
interface Background {

    /** Starts a task; none is under way. */
    void start(Runnable task);

    /** Tells whether no task is under way. */
    boolean isIdle();

    /** Returns when no task is under way, also if the calling thread is interrupted. */
    void await();

    /** Starts no further task. */
    void close();
}

package org.fleetgrad.ps.membership;

/** The outcome of a registration. */
public sealed interface Registration {

    /** Returns the worker that holds the id. */
    Worker worker();

    /** The worker is registered. */
    record Granted(Worker worker) implements Registration {}

    /** The id is taken by a worker with a running lease. */
    record Taken(Worker worker) implements Registration {}
}

package org.fleetgrad.ps.membership;

/** What a registration is answered. */
public sealed interface Registration {

    /** Returns the worker that has the id now. */
    Worker worker();

    /** The worker is registered. */
    record Granted(Worker worker) implements Registration {}

    /** The id is taken by a worker whose lease runs. */
    record Taken(Worker worker) implements Registration {}
}

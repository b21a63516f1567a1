package org.fleetgrad.ps.membership;

/** The outcome of a registration. */
public sealed interface Registration {

    /** The worker is registered. */
    record Granted(Worker worker) implements Registration {}

    /** The id is taken by a worker with a running lease. */
    record Taken(Worker worker) implements Registration {}

    /**
     * So many workers with running leases are registered that no other is taken.
     *
     * @param capacity their number
     */
    record Full(int capacity) implements Registration {}
}

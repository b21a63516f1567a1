package org.fleetgrad.ps.membership;

import java.time.Duration;
import java.util.Optional;

/** The outcome of a registration. */
public sealed interface Registration {

    /**
     * The worker is registered.
     *
     * @param earlier time since an earlier attempt of the same activation registered, if the worker replaces it and the time
     *     is known
     */
    record Granted(Worker worker, Optional<Duration> earlier) implements Registration {

        /** Registers a worker that replaces no other one. */
        public Granted(Worker worker) {
            this(worker, Optional.empty());
        }
    }

    /** The id is taken by a worker with a running lease. */
    record Taken(Worker worker) implements Registration {}

    /**
     * The limit of workers with running leases is reached.
     *
     * @param capacity the limit
     */
    record Full(int capacity) implements Registration {}
}

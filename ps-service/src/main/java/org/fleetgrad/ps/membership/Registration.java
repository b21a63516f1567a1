package org.fleetgrad.ps.membership;

import java.time.Duration;
import java.util.Optional;

/** The outcome of a registration. */
public sealed interface Registration {

    /**
     * The worker is registered.
     *
     * @param earlier time since an earlier try of the same activation registered, if the worker takes its place and that is
     *     known
     */
    record Granted(Worker worker, Optional<Duration> earlier) implements Registration {

        /** Registers a worker that takes no other one's place. */
        public Granted(Worker worker) {
            this(worker, Optional.empty());
        }
    }

    /** The id is taken by a worker with a running lease. */
    record Taken(Worker worker) implements Registration {}

    /**
     * So many workers with running leases are registered that no other is taken.
     *
     * @param capacity their number
     */
    record Full(int capacity) implements Registration {}
}

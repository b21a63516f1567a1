package org.fleetgrad.worker.training;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;

/**
 * Renews a worker's lease while it computes for long between two pushes: otherwise the server would assign its shard to another
 * worker, and drop what it pushes then. A worker that has stopped computing renews nothing. For one thread.
 */
final class LeaseRenewal {

    /** A third of a lease: a renewal may fail, and a batch may take long. */
    private static final int PART = 3;

    private final WorkerRegistration registration;
    private final Clock clock;
    private Instant last;

    LeaseRenewal(WorkerRegistration registration, Clock clock) {
        this.registration = registration;
        this.clock = clock;
        this.last = clock.instant();
    }

    /** Records that another call has just renewed the lease. */
    void renewed() {
        last = clock.instant();
    }

    /** Renews the lease if much of it has passed. */
    void renewIfLate() {
        Duration due = registration.leaseLength().dividedBy(PART);
        if (Duration.between(last, clock.instant()).compareTo(due) < 0) {
            return;
        }
        for (PsClient server : registration.servers().all()) {
            try {
                // The smallest answer there is: any call of the worker renews its lease.
                VersionReply unused = server.version();
            } catch (IOException away) {
                // The next push meets it, and handles it.
            }
        }
        renewed();
    }
}

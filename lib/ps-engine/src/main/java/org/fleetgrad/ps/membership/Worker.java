package org.fleetgrad.ps.membership;

import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A registered worker.
 *
 * @param id          its id
 * @param description text for people
 * @param device      device that it computes on
 * @param deadline    time at which it expects to be gone, by the clock of the leases
 * @param leaseEnd    time at which its lease expires unless renewed
 * @param activation  the platform's id of the worker's activation, if it is one
 * @param address     where it serves predictions. Neither journal nor checkpoint has it: after a restart it is absent until
 *     the worker registers again
 */
public record Worker(
        String id,
        String description,
        String device,
        Optional<Instant> deadline,
        Instant leaseEnd,
        Optional<String> activation,
        Optional<URI> address) {

    /** Returns what a restart knows of the worker. */
    public Worker persisted() {
        return new Worker(id, description, device, deadline, Instant.EPOCH, activation, Optional.empty());
    }

    /**
     * Returns whether the other is this worker in the same registration, even if their leases end at different times.
     */
    public boolean isSameAs(@Nullable Worker other) {
        return other != null
                && id.equals(other.id)
                && description.equals(other.description)
                && device.equals(other.device)
                && deadline.equals(other.deadline)
                && activation.equals(other.activation);
    }

    /** Returns whether a worker of this id and this activation is another attempt of the same activation. */
    boolean isRetryOf(Optional<String> coming) {
        return activation.isPresent() && activation.equals(coming);
    }

    Worker renewedUntil(Instant end) {
        // The platform kills a worker after its deadline, so no lease lasts longer.
        Instant capped = deadline.filter(end::isAfter).orElse(end);
        return new Worker(id, description, device, deadline, capped, activation, address);
    }
}

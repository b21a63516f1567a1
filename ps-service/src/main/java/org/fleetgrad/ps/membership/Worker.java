package org.fleetgrad.ps.membership;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A registered worker.
 *
 * @param id          its id
 * @param description text for people
 * @param device      device that it computes on
 * @param deadline    time at which it expects to be gone
 * @param leaseEnd    time at which its lease expires unless renewed
 */
public record Worker(String id, String description, String device, Optional<Instant> deadline, Instant leaseEnd) {

    /**
     * Returns whether the other is this worker in the same registration, even if their leases end at different times.
     */
    public boolean isSameAs(@Nullable Worker other) {
        return other != null
                && id.equals(other.id)
                && description.equals(other.description)
                && device.equals(other.device)
                && deadline.equals(other.deadline);
    }

    Worker renewedUntil(Instant end) {
        // The platform kills a worker after its deadline, so no lease lasts longer.
        Instant capped = deadline.filter(end::isAfter).orElse(end);
        return new Worker(id, description, device, deadline, capped);
    }
}

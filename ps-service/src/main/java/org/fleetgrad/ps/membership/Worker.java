package org.fleetgrad.ps.membership;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A registered worker.
 *
 * @param id          its id
 * @param description what it is, for people
 * @param device      what it computes on
 * @param deadline    when it says it will be gone
 * @param leaseEnd    when its lease runs out unless renewed
 */
public record Worker(String id, String description, String device, Optional<Instant> deadline, Instant leaseEnd) {

    /** Tells whether the other is this worker of the same registration, whenever their leases end. */
    public boolean isSameAs(@Nullable Worker other) {
        return other != null
                && id.equals(other.id)
                && description.equals(other.description)
                && device.equals(other.device)
                && deadline.equals(other.deadline);
    }

    Worker renewedUntil(Instant end) {
        // After its deadline it is killed, whatever it said before: nobody need wait for it.
        Instant capped = deadline.filter(end::isAfter).orElse(end);
        return new Worker(id, description, device, deadline, capped);
    }
}

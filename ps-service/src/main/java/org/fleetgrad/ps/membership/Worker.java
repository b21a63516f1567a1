package org.fleetgrad.ps.membership;

import java.time.Instant;
import java.util.Optional;

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

    Worker renewedUntil(Instant end) {
        return new Worker(id, description, device, deadline, end);
    }
}

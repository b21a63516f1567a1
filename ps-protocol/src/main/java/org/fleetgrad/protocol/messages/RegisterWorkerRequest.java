package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Asks for a lease.
 *
 * @param id          the id the worker wants; the server draws one where it is absent
 * @param description what the worker is, for people
 * @param deadline    epoch milliseconds at which the worker will be gone, where it knows
 * @param device      what it computes on, such as {@code cpu}
 */
public record RegisterWorkerRequest(
        @Nullable String id,
        @Nullable String description,
        @Nullable Long deadline,
        @Nullable String device) {}

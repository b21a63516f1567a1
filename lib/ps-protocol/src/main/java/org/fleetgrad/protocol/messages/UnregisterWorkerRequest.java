package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Ends a lease.
 *
 * @param id the registered worker
 */
public record UnregisterWorkerRequest(@Nullable String id) {}

package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Requests work.
 *
 * @param worker the registered worker
 */
public record NextShardRequest(@Nullable String worker) {}

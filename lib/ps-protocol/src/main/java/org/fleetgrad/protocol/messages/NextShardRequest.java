package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Asks for work.
 *
 * @param worker the registered worker that asks
 */
public record NextShardRequest(@Nullable String worker) {}

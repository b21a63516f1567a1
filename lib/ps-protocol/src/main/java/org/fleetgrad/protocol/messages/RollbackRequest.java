package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Asks the server to roll back to a checkpoint of its run.
 *
 * @param checkpoint the checkpoint's number
 */
public record RollbackRequest(@Nullable Long checkpoint) {}

package org.fleetgrad.protocol.messages;

/**
 * Confirms the end of a lease.
 *
 * @param code 200
 * @param id   the worker that is no longer registered
 */
public record UnregisterWorkerReply(int code, String id) {}

package org.fleetgrad.protocol.messages;

/**
 * Grants a lease.
 *
 * @param code       200
 * @param id         the worker's id from now on
 * @param leaseMs    milliseconds until the lease runs out unless a call of the worker renews it
 * @param generation history of the parameter set
 * @param version    newest version of it
 * @param sequence   highest sequence number that the server remembers of this id, 0 for none; a worker counts on from it
 */
public record RegisterWorkerReply(int code, String id, long leaseMs, String generation, long version, long sequence) {}

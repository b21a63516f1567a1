package org.fleetgrad.protocol.messages;

/**
 * Says where the server is, now that it does not wait for the worker.
 *
 * @param code    200
 * @param version the newest version
 */
public record PassStepReply(int code, long version) {}

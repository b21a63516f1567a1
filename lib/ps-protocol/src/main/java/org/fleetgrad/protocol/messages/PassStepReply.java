package org.fleetgrad.protocol.messages;

/**
 * Confirms that the server does not wait for the worker in this step.
 *
 * @param code    200
 * @param version the newest version
 */
public record PassStepReply(int code, long version) {}

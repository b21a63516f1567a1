package org.fleetgrad.protocol.messages;

/**
 * Confirms that a parameter set was accepted.
 *
 * @param code       200 or 201
 * @param generation history that it belongs to
 * @param version    version under which it is served
 * @param tensors    number of tensors
 * @param bytes      size of all tensors together
 */
public record PutParameterReply(int code, String generation, long version, int tensors, long bytes) {}

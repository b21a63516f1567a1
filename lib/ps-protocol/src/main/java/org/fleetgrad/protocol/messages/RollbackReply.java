package org.fleetgrad.protocol.messages;

/**
 * Confirms that the server rolled back to a checkpoint.
 *
 * @param code       200
 * @param generation history that begins with the checkpoint's parameters
 * @param version    version under which they are served
 * @param checkpoint the checkpoint's number
 */
public record RollbackReply(int code, String generation, long version, long checkpoint) {}

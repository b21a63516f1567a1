package org.fleetgrad.protocol.messages;

/**
 * Confirms the work of the run.
 *
 * @param code    200
 * @param created whether the work began with this request; where it was under way, the addresses of its shards and the
 *     number of epochs are the new ones
 * @param shards  shards of an epoch
 * @param samples samples of an epoch
 */
public record PutWorkReply(int code, boolean created, int shards, long samples) {}

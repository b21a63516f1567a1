package org.fleetgrad.ps.history;

/**
 * A checkpoint in the time series of a run.
 *
 * @param timeMs  when it was taken, in milliseconds since 1970
 * @param number  its number
 * @param version the version in it
 */
public record CheckpointPoint(long timeMs, long number, long version) {}

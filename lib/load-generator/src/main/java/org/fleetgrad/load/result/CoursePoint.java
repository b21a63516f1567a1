package org.fleetgrad.load.result;

/**
 * A short interval of a run.
 *
 * @param seconds  its middle, since the run's beginning
 * @param answered requests of it that were answered
 * @param failed   requests of it that failed
 * @param accuracy share of correct answers; NaN if nothing was answered
 * @param p50Ms    median latency, in ms
 * @param p99Ms    99th percentile, in ms
 */
public record CoursePoint(double seconds, long answered, long failed, double accuracy, double p50Ms, double p99Ms) {}

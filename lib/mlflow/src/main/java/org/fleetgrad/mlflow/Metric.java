package org.fleetgrad.mlflow;

/**
 * A value of a curve.
 *
 * @param key    name of the curve
 * @param value  may be NaN or infinite
 * @param millis Unix time
 * @param step   on the curve's axis
 */
public record Metric(String key, double value, long millis, long step) {}

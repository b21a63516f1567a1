package org.fleetgrad.ps.parameters;

/**
 * How many values a parameter set has.
 *
 * @param all       trainable and frozen ones
 * @param trainable those that are stepped and sent with gradients
 */
public record ValueCount(long all, long trainable) {}

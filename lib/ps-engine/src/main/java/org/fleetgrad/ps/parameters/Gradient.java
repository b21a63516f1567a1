package org.fleetgrad.ps.parameters;

import org.fleetgrad.protocol.gradient.GradientMetadata;

/**
 * A checked gradient: it has the run's layout, and every value is finite.
 *
 * @param metadata its worker's metadata
 * @param values   the values, in the order of the layout; with the submission they pass to the applier, which returns them
 *     to their pool. If the submission is refused, the array is left to the garbage collector
 */
public record Gradient(GradientMetadata metadata, float[] values) {}

package org.fleetgrad.ps.training;

import org.fleetgrad.protocol.gradient.GradientMetadata;

/**
 * A checked gradient: of the run's layout, finite in every value.
 *
 * @param metadata what it says of itself
 * @param values   the values, in the order of the layout; they belong to the applier from the submission on, and go back
 *     to their {@link GradientBuffers}
 */
public record Gradient(GradientMetadata metadata, float[] values) {}

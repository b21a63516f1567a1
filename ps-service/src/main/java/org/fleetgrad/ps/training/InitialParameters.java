package org.fleetgrad.ps.training;

import java.util.Map;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * A checked parameter set from outside: float32, finite.
 *
 * @param layout   canonical
 * @param values   in the order of the layout; theirs who take it
 * @param metadata strings that every version will carry
 */
public record InitialParameters(TensorLayout layout, float[] values, Map<String, String> metadata) {}

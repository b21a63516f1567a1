package org.fleetgrad.ps.parameters;

import java.util.Map;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * A parameter set from a client or a file, already checked: all float32, all finite.
 *
 * @param layout   canonical
 * @param values   in the order of the layout; ownership passes to the receiver
 * @param metadata strings that every version will carry
 */
public record InitialParameters(TensorLayout layout, float[] values, Map<String, String> metadata) {}

package org.fleetgrad.evaluator.source;

import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A version that can be evaluated.
 *
 * @param name       its source, for users: the name of a checkpoint or of a file; empty for a server's
 * @param version    the version
 * @param parameters of the version; their metadata names the network
 */
public record NamedVersion(String name, ParameterVersion version, TensorSet parameters) {}

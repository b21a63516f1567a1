package org.fleetgrad.serving.policy;

import java.util.OptionalDouble;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * A version that a policy may choose.
 *
 * @param version  the version
 * @param accuracy its own held-out accuracy, 0 to 1; absent if it is not evaluated
 */
public record Candidate(ParameterVersion version, OptionalDouble accuracy) {}

package org.fleetgrad.serving.policy;

import org.fleetgrad.protocol.ParameterVersion;

/**
 * The outcome of one evaluation.
 *
 * @param version  the evaluated version
 * @param accuracy share of held-out samples classified correctly
 */
public record HeldOutAccuracy(ParameterVersion version, double accuracy) {}

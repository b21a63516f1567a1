package org.fleetgrad.inference.evaluation;

import java.time.Duration;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * The result of evaluating a version on held-out samples.
 *
 * @param version  the evaluated version
 * @param accuracy share of the samples answered right
 * @param loss     mean cross-entropy
 * @param samples  number of samples
 * @param duration time that it took
 */
public record Evaluation(ParameterVersion version, double accuracy, double loss, long samples, Duration duration) {}

package org.fleetgrad.inference.evaluation;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * The result of evaluating a version on held-out samples.
 *
 * @param version      the evaluated version
 * @param accuracy     share of the samples whose label has the largest logit
 * @param accuracyTop5 share of the samples whose label is among the five largest logits; absent if the network has five
 *     outputs or fewer, since then it is always 1
 * @param loss         mean cross-entropy
 * @param samples      number of samples
 * @param duration     time that it took
 */
public record Evaluation(
        ParameterVersion version,
        double accuracy,
        Optional<Double> accuracyTop5,
        double loss,
        long samples,
        Duration duration) {}

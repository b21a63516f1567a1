package org.fleetgrad.inference.prediction;

import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.serving.Classification;
import org.fleetgrad.serving.policy.HeldOutAccuracy;

/**
 * The response to a client.
 *
 * @param classification  the images' classes and the version that computed them
 * @param accuracy        newest held-out accuracy of that generation, if known
 * @param versionAccuracy that version's own held-out accuracy, if it is evaluated
 */
public record Prediction(
        Classification classification, Optional<HeldOutAccuracy> accuracy, OptionalDouble versionAccuracy) {}

package org.fleetgrad.inference.prediction;

import java.util.Optional;
import org.fleetgrad.serving.Classification;
import org.fleetgrad.serving.policy.HeldOutAccuracy;

/**
 * The answer to a client.
 *
 * @param classification the images' classes and the version that computed them
 * @param accuracy       newest held-out accuracy of that generation, if known
 */
public record Prediction(Classification classification, Optional<HeldOutAccuracy> accuracy) {}

package org.fleetgrad.inference.prediction;

import java.util.Optional;
import org.fleetgrad.inference.model.Classification;
import org.fleetgrad.inference.model.HeldOutAccuracy;

/**
 * What a client is told.
 *
 * @param classification the images' classes and the version that says so
 * @param accuracy       how far that generation is to be trusted, where it is known
 */
public record Prediction(Classification classification, Optional<HeldOutAccuracy> accuracy) {}

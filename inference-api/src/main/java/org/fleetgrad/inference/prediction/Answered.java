package org.fleetgrad.inference.prediction;

import java.util.Optional;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionOutcome;

/**
 * The outcome of a request, and what was asked.
 *
 * @param outcome the answer, or why there is none
 * @param request the samples; empty if they were not read
 */
public record Answered(PredictionOutcome outcome, Optional<Images> request) {}

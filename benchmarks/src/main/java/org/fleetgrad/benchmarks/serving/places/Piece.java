package org.fleetgrad.benchmarks.serving.places;

import java.util.Optional;
import org.fleetgrad.load.result.LoadFigures;

/**
 * A piece of a training.
 *
 * @param samplesPerSecond its speed
 * @param asked            what clients saw meanwhile; empty if there were none
 * @param accuracy         held-out accuracy of the version after it
 */
record Piece(double samplesPerSecond, Optional<LoadFigures> asked, double accuracy) {}

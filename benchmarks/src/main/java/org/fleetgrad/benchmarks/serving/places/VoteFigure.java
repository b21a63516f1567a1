package org.fleetgrad.benchmarks.serving.places;

/**
 * How often the workers of an ensemble disagreed.
 *
 * @param gap       versions between the oldest and the newest that voted
 * @param images    images that were asked about
 * @param disagreed images on which they did not agree
 */
public record VoteFigure(long gap, long images, long disagreed) {}

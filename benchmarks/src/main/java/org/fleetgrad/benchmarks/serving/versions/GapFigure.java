package org.fleetgrad.benchmarks.serving.versions;

/**
 * How much two workers disagree.
 *
 * @param interval     batches of a version
 * @param gap          versions that one worker is behind the other
 * @param samplesApart samples between the two
 * @param pairs        pairs of versions that were compared
 * @param mean         share of the images on which they name different classes, the mean of all pairs
 * @param most         the largest share of a pair
 * @param accuracy     share of right answers of the newer worker, the mean of all pairs
 */
public record GapFigure(
        int interval, int gap, long samplesApart, int pairs, double mean, double most, double accuracy) {}

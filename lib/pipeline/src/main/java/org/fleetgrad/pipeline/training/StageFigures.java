package org.fleetgrad.pipeline.training;

/**
 * What one stage can tell about one window.
 *
 * @param stage        from 0
 * @param microBatches that went backward
 * @param steps        made in the window
 * @param mostInFlight largest number of micro-batches between forward and backward together
 * @param mostVersions largest number of distinct versions of the weights alive together, the present one among them
 * @param mostCopies   largest number of copies of the weights alive together, predicted ones among them
 * @param meanLoss     over the micro-batches; NaN on every stage but the last
 * @param accuracy     share of the training samples that the forward passes had right, each with the weights of its moment;
 *     NaN on every stage but the last
 */
public record StageFigures(
        int stage,
        int microBatches,
        int steps,
        int mostInFlight,
        int mostVersions,
        int mostCopies,
        double meanLoss,
        double accuracy) {}

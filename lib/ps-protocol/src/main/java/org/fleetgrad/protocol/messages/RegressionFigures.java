package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * What an evaluation says of predicted numbers only, in the units of the target. If it is there, there is no accuracy, and the loss
 * says which of two versions is better.
 *
 * @param rmse root of the mean squared error
 * @param mae  mean absolute error
 * @param r2   coefficient of determination, {@code 1 - sum (y - f)^2 / sum (y - mean(y))^2}: 1 for a perfect prediction, 0 for that
 *     of the mean; absent if all targets are equal
 */
public record RegressionFigures(
        double rmse, double mae, @Nullable Double r2) {}

package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * The evaluation of a version on held-out samples, as JSON.
 *
 * @param generation   of the evaluated version
 * @param version      its number
 * @param accuracy     share of the predictions that are right; absent where numbers or labels are predicted
 * @param accuracyTop5 share of the predictions whose label is among the five most probable; absent for five outputs or fewer
 * @param loss         mean loss
 * @param text         what it says of a text only
 * @param regression   what it says of predicted numbers only
 * @param binary       what it says of the two classes of a table only
 * @param labels       what it says of several labels only
 * @param samples      number of samples
 * @param durationMs   milliseconds that it took
 * @param details      what is right and what is wrong; absent where only the figures were asked for
 */
public record HeldOutEvaluation(
        String generation,
        long version,
        @Nullable Double accuracy,
        @Nullable Double accuracyTop5,
        double loss,
        @Nullable TextFigures text,
        @Nullable RegressionFigures regression,
        @Nullable BinaryFigures binary,
        @Nullable LabelFigures labels,
        long samples,
        long durationMs,
        @Nullable EvaluationDetails details) {}

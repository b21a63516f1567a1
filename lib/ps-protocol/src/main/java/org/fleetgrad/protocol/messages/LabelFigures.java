package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * What an evaluation says of several labels only, as scikit-learn computes it. If it is there, there is no accuracy, and the loss says which
 * of two versions is better. A label is predicted if its probability is above one half.
 *
 * @param microF1     F1 over the labels of all rows together; 0 if no label of a row is there or predicted
 * @param macroF1     mean of the labels' F1, each of which is 0 if no row has the label and it is predicted of none
 * @param exactMatch  share of the rows of which every label is right
 * @param hammingLoss share of the labels of all rows that are wrong
 * @param macroAuc    mean of the areas under the labels' ROC curves, over those that some rows have and some have not; absent if there are
 *     none
 * @param labels      number of labels
 * @param oneSided    number of labels that all rows have, or none: they have no area
 */
public record LabelFigures(
        double microF1,
        double macroF1,
        double exactMatch,
        double hammingLoss,
        @Nullable Double macroAuc,
        int labels,
        int oneSided) {}

package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * What an evaluation got right and wrong, in a bounded size. Of a text, whose tokens are predicted, there is nothing.
 *
 * @param classes which classes are taken for which; absent where numbers are predicted, and of more than
 *     {@link ClassDetails#MOST_CLASSES} classes
 * @param roc     of the two classes of a table only; absent if all rows are of one class
 * @param numbers targets and predictions of some samples, where numbers are predicted
 * @param labels  how well each label is found, where a table has several
 */
public record EvaluationDetails(
        @Nullable ClassDetails classes,
        @Nullable RocCurve roc,
        @Nullable NumberPairs numbers,
        @Nullable LabelDetails labels) {

    /** Nothing. */
    public static final EvaluationDetails NONE = new EvaluationDetails(null, null, null, null);
}

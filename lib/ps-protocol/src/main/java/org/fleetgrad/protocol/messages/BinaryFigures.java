package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * What an evaluation says of the two classes of a table only, beside accuracy and loss. The second class is the one that is looked for:
 * {@code 1} of 0 and 1, {@code yes} of no and yes. A row is predicted as it if its probability is above one half.
 *
 * @param auc       area under the ROC curve: the chance that a random row of the second class has a higher probability of it than a random
 *     row of the first, where equal ones count half; absent if all rows are of one class
 * @param f1        harmonic mean of precision and recall; 0 if no row is of the second class or predicted as it
 * @param precision share of the rows predicted as the second class that are of it; 0 if none is predicted as it
 * @param recall    share of the rows of the second class that are predicted as it; 0 if there are none
 */
public record BinaryFigures(@Nullable Double auc, double f1, double precision, double recall) {}

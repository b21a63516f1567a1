package org.fleetgrad.datasets.table;

import java.io.IOException;

/** What the values of the target have in common, and which of the training rows shall be spread evenly: the first reading. */
sealed interface TargetProfile permits LabelsProfile, OneTargetProfile {

    /**
     * Adds a row.
     *
     * @param rows at the row
     * @throws IllegalArgumentException if its target is missing or none that there can be
     */
    void add(TableRows rows, boolean isHeldOut) throws IOException;

    /**
     * Checks what only all rows together show.
     *
     * @throws IllegalArgumentException if there is nothing to learn, or values are probably mistakes
     */
    void requireFit();

    /** Returns whether the target is a number, of which the second reading takes mean and standard deviation. */
    boolean isNumber();

    /**
     * Returns what is predicted, where it is no number.
     *
     * @throws IllegalArgumentException if the values are no classes
     */
    TableTarget target();

    /**
     * Returns of which stratum, in no order, each training row is: of each a share is held out. All are of the same one if the target is a
     * number. It is called once.
     */
    int[] strata();
}

package org.fleetgrad.datasets.table;

import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.sampling.StratifiedSplit;

/** Where each row of the training files goes: to a place among the training samples, or among those that are held out. */
final class TablePlaces {

    /** A place among the training samples, or, if it is negative, the complement of one among those that are held out. */
    private final int[] places;

    private final int training;

    /** Takes the rows as they are drawn. */
    TablePlaces(StratifiedSplit drawn) {
        training = drawn.training().length;
        places = new int[training + drawn.heldOut().length];
        for (int i = 0; i < drawn.training().length; i++) {
            places[drawn.training()[i]] = i;
        }
        for (int i = 0; i < drawn.heldOut().length; i++) {
            places[drawn.heldOut()[i]] = ~i;
        }
    }

    /** Returns the number of rows that are trained on. */
    int training() {
        return training;
    }

    /** Returns the number of rows of the training files that are held out. */
    int heldOut() {
        return places.length - training;
    }

    boolean isTraining(TableRows rows, long index) throws InvalidDatasetException {
        return place(rows, index) >= 0;
    }

    /** Returns the place of a row of a training file; if it is held out, the complement of the place. */
    int place(TableRows rows, long index) throws InvalidDatasetException {
        if (index >= places.length) {
            throw changed(rows, index + 1, places.length);
        }
        return places[(int) index];
    }

    /** Makes the exception for a file that has other rows than when it was read before. */
    static InvalidDatasetException changed(TableRows rows, long count, int before) {
        return rows.broken(0, "there are %,d rows up to here, and were %,d; the file changes".formatted(count, before));
    }
}

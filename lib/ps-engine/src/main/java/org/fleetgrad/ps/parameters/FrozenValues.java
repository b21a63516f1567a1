package org.fleetgrad.ps.parameters;

import org.fleetgrad.protocol.tensor.TrainableValues;

/**
 * The values of a parameter set that a run does not change, and the positions of those that it trains.
 *
 * @param places which of the values are trained
 * @param all    all values of the set; those of trainable tensors are not read. Nobody writes to the others
 */
public record FrozenValues(TrainableValues places, float[] all) {

    /** Returns how many values the set has. */
    public int count() {
        return (int) places.whole().elementCount();
    }

    /** Returns all values of the set, in a new array. */
    public float[] with(float[] trainable) {
        if (places.isWhole()) {
            return trainable.clone();
        }
        float[] values = new float[count()];
        copyWith(trainable, values);
        return values;
    }

    /** Returns whether another set freezes the same tensors at the same bits. */
    public boolean hasSameFrozen(FrozenValues other) {
        return places.isFrozenAlike(all, other.all);
    }

    /** Writes all values of the set into an array. */
    void copyWith(float[] trainable, float[] target) {
        System.arraycopy(all, 0, target, 0, all.length);
        places.putInto(trainable, target);
    }
}

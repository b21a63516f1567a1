package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import org.fleetgrad.protocol.tensor.TensorSet;

/** The tensors of a network on its device: the loaded values, and the gradients and statistics of an interval of batches. */
interface Tensors {

    /** Copies the values of a set, which has the network's layout, in any order. */
    void load(TensorSet set);

    /** Copies the loaded values of a network of the same layout, on the same device. */
    void copyFrom(Tensors other);

    /** Returns the tensors for evaluation, as they were loaded, by their indices in the layout. */
    PtNDArray[] evaluated();

    /** Returns the tensors of the interval: parameters that accumulate a gradient, and buffers instead of state. */
    PtNDArray[] trained();

    /** Copies the results of the interval: gradients, and for state tensors the unscaled buffers. */
    void collect(float[] target);

    /** Ends the interval: the next one begins without gradients, and with buffers of zeros. */
    void reset();

    /** Makes a leaf over a parameter's memory. It has no gradient yet: nothing is set to zero, or added to zeros. */
    static PtNDArray leaf(PtNDArray parameter) {
        PtNDArray leaf = JniUtils.detachGradient(parameter);
        JniUtils.attachGradient(leaf, true);
        return leaf;
    }
}

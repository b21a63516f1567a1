package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** The tensors of a network on its device: the loaded values, and the gradients and statistics of an interval of batches. */
abstract class Tensors {

    /** By index: the tensors of the layout. */
    final List<TensorSpec> specs;

    final boolean[] isState;
    final PtNDManager manager;
    /** The tensors for evaluation, as they were loaded; a subclass creates them. */
    final PtNDArray[] evaluated;

    /** The tensors of the interval, once {@link #trained} has made them. */
    private final PtNDArray[] trained;

    private final boolean[] isFrozen;
    private boolean isTraining;

    Tensors(NetworkSpec spec, PtNDManager manager) {
        this.specs = spec.layout().specs();
        this.manager = manager;
        this.isState = new boolean[specs.size()];
        for (int i = 0; i < isState.length; i++) {
            isState[i] = spec.state().has(specs.get(i).name());
        }
        this.isFrozen = new boolean[specs.size()];
        this.evaluated = new PtNDArray[specs.size()];
        this.trained = new PtNDArray[specs.size()];
    }

    /** Copies the values of a set, which has all tensors or the trainable ones, in any order. */
    abstract void load(TensorSet set);

    /** Copies the loaded values of a network of the same layout, on the same device. */
    abstract void copyFrom(Tensors other);

    /** Copies the results of the interval for the trainable tensors: gradients, and for state the unscaled buffers. */
    abstract void collect(float[] target);

    /** Freezes tensors from the next interval on; called between two intervals. */
    void freeze(FrozenTensors frozen) {
        for (int i = 0; i < isFrozen.length; i++) {
            isFrozen[i] = frozen.has(specs.get(i).name());
        }
    }

    /** Returns which tensors are frozen, by their indices in the layout. */
    boolean[] isFrozen() {
        return isFrozen;
    }

    /** Returns the tensors for evaluation, as they were loaded, by their indices in the layout. */
    PtNDArray[] evaluated() {
        return evaluated;
    }

    /**
     * Returns the tensors of the interval: parameters that accumulate a gradient, and buffers instead of state. A frozen
     * tensor is the loaded one: libtorch computes no gradient of it, nor of what precedes all trainable ones.
     */
    PtNDArray[] trained() {
        if (!isTraining) {
            for (int i = 0; i < trained.length; i++) {
                trained[i] = isFrozen[i] ? evaluated[i] : ofInterval(i);
            }
            isTraining = true;
        }
        return trained;
    }

    private PtNDArray ofInterval(int index) {
        return isState[index] ? zeros(shape(specs.get(index))) : leaf(evaluated[index]);
    }

    /** Ends the interval: the next one begins without gradients, and with buffers of zeros. */
    void reset() {
        if (isTraining) {
            for (int i = 0; i < trained.length; i++) {
                if (!isFrozen[i]) {
                    trained[i].close();
                }
            }
            isTraining = false;
        }
    }

    PtNDArray zeros(long... shape) {
        return (PtNDArray) manager.zeros(new Shape(shape), DataType.FLOAT32);
    }

    static long[] shape(TensorSpec tensor) {
        return tensor.shape().stream().mapToLong(Long::longValue).toArray();
    }

    /** Makes a leaf over a parameter's memory. It has no gradient yet: nothing is set to zero, or added to zeros. */
    static PtNDArray leaf(PtNDArray parameter) {
        PtNDArray leaf = JniUtils.detachGradient(parameter);
        JniUtils.attachGradient(leaf, true);
        return leaf;
    }
}

package org.fleetgrad.protocol.tensor;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The tensors of a parameter set that a run does not change: they are neither stepped nor sent with gradients. The others
 * are trainable; they include the state of layers that are not frozen. Immutable.
 *
 * @param names of complete tensors; a partition's pieces of them are frozen, too
 */
public record FrozenTensors(SortedSet<String> names) {

    /** Every tensor is trainable. */
    public static final FrozenTensors NONE = new FrozenTensors(new TreeSet<>());

    /** Copies the names. */
    public FrozenTensors {
        names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
    }

    /** Returns whether every tensor is trainable. */
    public boolean isEmpty() {
        return names.isEmpty();
    }

    /** Returns whether a tensor, or the tensor that a partition's piece was cut from, is frozen. */
    public boolean has(String tensor) {
        return names.contains(tensor) || (!names.isEmpty() && names.contains(TensorSpec.tensorOf(tensor)));
    }

    /** Returns the trainable tensors of a layout, in its order. */
    public TensorLayout trainable(TensorLayout layout) {
        return isEmpty()
                ? layout
                : TensorLayout.inOrder(layout.specs().stream()
                        .filter(spec -> !has(spec.name()))
                        .toList());
    }

    /** Returns the state that still observes. */
    public ParameterState trainable(ParameterState state) {
        if (isEmpty()) {
            return state;
        }
        SortedMap<String, Float> momenta = new TreeMap<>(state.momenta());
        momenta.keySet().removeIf(this::has);
        return new ParameterState(momenta);
    }
}

package org.fleetgrad.serving;

import org.fleetgrad.protocol.tensor.TensorSet;

/** Finds the network that a parameter set names, and opens instances of it. Thread-safe. */
public interface Classifiers {

    /**
     * Finds the network of a parameter set, by its metadata only.
     *
     * @throws IllegalArgumentException if it names no network, or an unknown one, or if its tensors or its state are not
     *     that network's; the message names what differs
     */
    ServedNetwork networkOf(TensorSet parameters);

    /**
     * Opens an instance, which has no parameters yet.
     *
     * @throws IllegalArgumentException if there is no such network or device
     */
    Classifier open(ServedNetwork network);
}

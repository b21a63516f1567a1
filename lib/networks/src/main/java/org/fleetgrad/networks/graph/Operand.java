package org.fleetgrad.networks.graph;

/** What an operator reads: a value that was computed before, or a tensor of the network. */
public sealed interface Operand {

    /**
     * A value.
     *
     * @param index 0 for the input of the graph, 1 for the output of its first node, and so on
     */
    record Value(int index) implements Operand {}

    /**
     * A tensor of the network.
     *
     * @param name in the layout
     */
    record Tensor(String name) implements Operand {}
}

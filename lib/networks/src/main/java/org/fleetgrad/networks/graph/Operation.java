package org.fleetgrad.networks.graph;

import java.util.List;

/**
 * An operator of a graph, without the code that computes it: its settings, and the shape of its output. Immutable. Names and arguments
 * are those of PyTorch's ATen.
 */
public sealed interface Operation permits Elementwise, Mixing, Pooling, Reshaping, Weighted {

    /** Returns the number of operands that it takes, least and most. */
    default Operands operands() {
        return Operands.ONE;
    }

    /** Returns the names of the tensors of the network that it reads besides its operands. */
    default List<String> tensors() {
        return List.of();
    }

    /**
     * Returns the shape of its output.
     *
     * @throws IllegalArgumentException if it cannot take such operands; the message has the shapes
     */
    List<Long> output(OperandShapes shapes);

    /**
     * How many operands an operator takes.
     *
     * @param least the fewest
     * @param most  the most
     */
    record Operands(int least, int most) {

        static final Operands NONE = new Operands(0, 0);
        static final Operands ONE = new Operands(1, 1);
        static final Operands TWO = new Operands(2, 2);
    }
}

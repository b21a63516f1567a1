package org.fleetgrad.networks.graph;

import java.util.List;
import org.fleetgrad.networks.graph.Operand.Value;

/**
 * One operator of a graph with what it reads.
 *
 * @param operation what it computes
 * @param inputs    in the operator's order
 */
public record Node(Operation operation, List<Operand> inputs) {

    public Node {
        inputs = List.copyOf(inputs);
    }

    /** Returns the indices of the values that it reads. */
    public List<Integer> values() {
        return inputs.stream()
                .filter(Value.class::isInstance)
                .map(input -> ((Value) input).index())
                .toList();
    }
}

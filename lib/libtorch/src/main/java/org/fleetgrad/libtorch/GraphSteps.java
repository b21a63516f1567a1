package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.fleetgrad.libtorch.Steps.Pass;
import org.fleetgrad.libtorch.Steps.Step;
import org.fleetgrad.networks.graph.Graph;
import org.fleetgrad.networks.graph.Node;
import org.fleetgrad.networks.graph.Operand;
import org.fleetgrad.networks.graph.Operand.Tensor;
import org.fleetgrad.networks.graph.Operand.Value;

/**
 * Compiles a graph to a {@link Step}: its nodes one after the other. A value is closed as soon as the last node that reads it has run;
 * libtorch retains what the backward pass needs.
 */
final class GraphSteps {

    private GraphSteps() {}

    /** Computes a node's output of its operands; never returns an operand itself, and leaves them open. */
    @FunctionalInterface
    interface NodeStep {

        PtNDArray run(PtNDArray[] operands, Pass pass);
    }

    /**
     * One node.
     *
     * @param step    computes it
     * @param sources of its operands: an index of a value, or {@code -1 - place} for a tensor
     * @param last    the values that nobody reads after it
     */
    private record Compiled(NodeStep step, int[] sources, int[] last) {}

    /**
     * Compiles a graph.
     *
     * @param place the index of each of its tensors
     */
    static Step of(Graph graph, ToIntFunction<String> place) {
        int count = graph.nodes().size();
        int[] lastReaders = graph.lastReaders();
        List<List<Integer>> last = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            last.add(new ArrayList<>());
        }
        // Not the input, which belongs to the caller, nor the output; what nobody reads is closed at once.
        for (int value = 1; value < count; value++) {
            last.get(Math.max(lastReaders[value], value) - 1).add(value);
        }
        Compiled[] nodes = new Compiled[count];
        for (int i = 0; i < count; i++) {
            Node node = graph.nodes().get(i);
            nodes[i] = new Compiled(
                    OperationSteps.of(node.operation(), place),
                    node.inputs().stream()
                            .mapToInt(operand -> source(operand, place))
                            .toArray(),
                    last.get(i).stream().mapToInt(Integer::intValue).toArray());
        }
        return (input, pass) -> run(nodes, input, pass);
    }

    private static int source(Operand operand, ToIntFunction<String> place) {
        return operand instanceof Value value ? value.index() : -1 - place.applyAsInt(((Tensor) operand).name());
    }

    private static PtNDArray run(Compiled[] nodes, PtNDArray input, Pass pass) {
        PtNDArray[] values = new PtNDArray[nodes.length + 1];
        values[0] = input;
        for (int i = 0; i < nodes.length; i++) {
            Compiled node = nodes[i];
            PtNDArray[] operands = new PtNDArray[node.sources().length];
            for (int k = 0; k < operands.length; k++) {
                int source = node.sources()[k];
                operands[k] = source >= 0 ? values[source] : pass.tensors()[-1 - source];
            }
            values[i + 1] = node.step().run(operands, pass);
            for (int value : node.last()) {
                values[value].close();
            }
        }
        return values[nodes.length];
    }
}

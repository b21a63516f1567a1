package org.fleetgrad.networks.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.networks.graph.Mixing.Attention;
import org.fleetgrad.networks.graph.Mixing.MatMul;
import org.fleetgrad.networks.graph.Operand.Tensor;
import org.fleetgrad.networks.graph.Operand.Value;
import org.fleetgrad.networks.graph.Weighted.Convolution;
import org.fleetgrad.networks.graph.Weighted.Linear;

/**
 * Cuts a graph where one value crosses: all that comes later reads no earlier value but that one, and no tensor that was read before. So
 * a residual stays whole. A piece has a convolution, a linear layer or a product, and what follows it.
 */
public final class GraphPieces {

    private final Graph graph;
    private final List<List<Long>> shapes;
    private final List<List<Long>> shapesOfTwo;

    private GraphPieces(Graph graph) {
        this.graph = graph;
        this.shapes = graph.shapes(1);
        this.shapesOfTwo = graph.shapes(2);
    }

    /** Returns the pieces, in the order of computation; joined they have each node once. */
    public static List<Graph> of(Graph graph) {
        GraphPieces pieces = new GraphPieces(graph);
        List<Integer> crossings = new ArrayList<>(pieces.crossings());
        crossings.add(graph.nodes().size());
        List<Graph> cut = new ArrayList<>();
        int from = 0;
        boolean hasProduct = pieces.hasProduct(0, crossings.get(0));
        for (int i = 0; i + 1 < crossings.size(); i++) {
            // What lies between two crossings stays with the layer before it, unless a product is in it.
            if (pieces.hasProduct(crossings.get(i), crossings.get(i + 1))) {
                if (hasProduct) {
                    cut.add(pieces.piece(from, crossings.get(i)));
                    from = crossings.get(i);
                }
                hasProduct = true;
            }
        }
        cut.add(pieces.piece(from, graph.nodes().size()));
        return List.copyOf(cut);
    }

    /** Returns the values after which the graph can be cut. */
    private List<Integer> crossings() {
        int count = graph.nodes().size();
        int[] lastRead = graph.lastReaders();
        Map<String, Integer> lastReadOfTensor = new HashMap<>();
        for (int i = 0; i < count; i++) {
            for (String tensor : Graph.tensorsOf(graph.nodes().get(i))) {
                lastReadOfTensor.put(tensor, i + 1);
            }
        }
        List<Integer> crossings = new ArrayList<>();
        int reach = lastRead[0];
        for (int value = 1; value < count; value++) {
            for (String tensor : Graph.tensorsOf(graph.nodes().get(value - 1))) {
                reach = Math.max(reach, lastReadOfTensor.getOrDefault(tensor, 0));
            }
            if (reach <= value && isOfSamples(value)) {
                crossings.add(value);
            }
            reach = Math.max(reach, lastRead[value]);
        }
        return crossings;
    }

    /** Between stages, samples travel: the first side must be theirs, and nothing else may grow with their number. */
    private boolean isOfSamples(int value) {
        List<Long> one = shapes.get(value);
        List<Long> two = shapesOfTwo.get(value);
        return one.size() > 1
                && one.get(0) == 1
                && two.get(0) == 2
                && one.subList(1, one.size()).equals(two.subList(1, two.size()));
    }

    private boolean hasProduct(int from, int to) {
        return graph.nodes().subList(from, to).stream().anyMatch(GraphPieces::isProduct);
    }

    private static boolean isProduct(Node node) {
        return node.operation() instanceof Convolution
                || node.operation() instanceof Linear
                || node.operation() instanceof MatMul
                || node.operation() instanceof Attention;
    }

    private Graph piece(int from, int to) {
        List<Node> nodes = new ArrayList<>();
        Map<String, List<Long>> tensors = new LinkedHashMap<>();
        for (Node node : graph.nodes().subList(from, to)) {
            nodes.add(new Node(
                    node.operation(),
                    node.inputs().stream().map(operand -> moved(operand, from)).toList()));
            Graph.tensorsOf(node).forEach(name -> tensors.put(name, List.of()));
        }
        tensors.replaceAll((name, none) -> graph.tensors().get(name));
        return new Graph(shapes.get(from).subList(1, shapes.get(from).size()), tensors, nodes);
    }

    private static Operand moved(Operand operand, int from) {
        return operand instanceof Value value ? new Value(value.index() - from) : (Tensor) operand;
    }
}

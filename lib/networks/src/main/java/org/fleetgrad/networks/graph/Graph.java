package org.fleetgrad.networks.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.fleetgrad.networks.graph.Operand.Tensor;
import org.fleetgrad.networks.graph.Operand.Value;
import org.fleetgrad.networks.graph.Weighted.BatchNorm;

/**
 * A network, or a piece of one, as a graph of operators: a value is the output of one and may be read by several later ones. It is
 * data: nothing but the listed operators can run. Immutable.
 *
 * @param input   shape of a sample
 * @param tensors shapes by name, in the order of the module's {@code state_dict}
 * @param nodes   in the order of computation; the output of the last one is the graph's
 */
public record Graph(List<Long> input, Map<String, List<Long>> tensors, List<Node> nodes) {

    /** Most nodes of a graph. */
    public static final int MOST_NODES = 1 << 14;

    /** Most values that all nodes compute of one sample. */
    private static final long MOST_VALUES = 1L << 30;

    /** Sides are numbers or multiples of the samples: what is right for these is right for more. */
    private static final int[] BATCHES = {1, 2, 3};

    /**
     * Checks all nodes.
     *
     * @throws IllegalArgumentException if one cannot compute what it reads, or the graph is too large; the message has the node, the
     *     shapes and the numbers
     */
    public Graph {
        input = List.copyOf(input);
        tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty() || nodes.size() > MOST_NODES) {
            throw new IllegalArgumentException(
                    "a graph has 1 to %,d nodes; it has %,d".formatted(MOST_NODES, nodes.size()));
        }
        requireReferences(nodes, tensors);
        for (int batch : BATCHES) {
            List<List<Long>> shapes = shapes(input, tensors, nodes, batch);
            if (shapes.get(nodes.size()).get(0) != batch) {
                throw new IllegalArgumentException("the output of %d samples is %s; its first side must be the samples"
                        .formatted(batch, shapes.get(nodes.size())));
            }
        }
    }

    private static void requireReferences(List<Node> nodes, Map<String, List<Long>> tensors) {
        Map<String, Integer> uses = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            for (int value : node.values()) {
                if (value < 0 || value > i) {
                    throw refused(i, node, "it reads the value %d, which is not there before it".formatted(value));
                }
            }
            for (String tensor : tensorsOf(node)) {
                if (!tensors.containsKey(tensor)) {
                    throw refused(i, node, "there is no tensor '%s'".formatted(tensor));
                }
                uses.merge(tensor, 1, Integer::sum);
            }
        }
        tensors.keySet().stream()
                .filter(name -> !uses.containsKey(name))
                .findFirst()
                .ifPresent(unread -> {
                    throw new IllegalArgumentException("no node reads the tensor '%s'".formatted(unread));
                });
        // The correction of the running statistics counts one observation a batch.
        for (Node node : nodes) {
            if (node.operation() instanceof BatchNorm norm
                    && (uses.getOrDefault(norm.mean(), 0) > 1 || uses.getOrDefault(norm.variance(), 0) > 1)) {
                throw new IllegalArgumentException(
                        "the statistics '%s' and '%s' must be read by one batch normalization alone"
                                .formatted(norm.mean(), norm.variance()));
            }
        }
    }

    /** Returns for each value which node reads it last, counted from 1 as their outputs are; 0 if none does. */
    public int[] lastReaders() {
        int[] last = new int[nodes.size() + 1];
        for (int i = 0; i < nodes.size(); i++) {
            for (int value : nodes.get(i).values()) {
                last[value] = i + 1;
            }
        }
        return last;
    }

    /** Returns the names of all tensors that a node reads. */
    static List<String> tensorsOf(Node node) {
        List<String> names = new ArrayList<>(node.operation().tensors());
        for (Operand operand : node.inputs()) {
            if (operand instanceof Tensor tensor) {
                names.add(tensor.name());
            }
        }
        return names;
    }

    /** Returns the shapes of all values for a batch: the input's, and that of each node's output. */
    public List<List<Long>> shapes(int samples) {
        return shapes(input, tensors, nodes, samples);
    }

    private static List<List<Long>> shapes(
            List<Long> input, Map<String, List<Long>> tensors, List<Node> nodes, int samples) {
        List<List<Long>> shapes = new ArrayList<>();
        List<Long> batch = new ArrayList<>(List.of((long) samples));
        batch.addAll(input);
        shapes.add(batch);
        long values = 0;
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            List<Long> shape;
            try {
                shape = shape(node, shapes, tensors, samples);
                values = Math.addExact(values, OperandShapes.count(shape));
            } catch (IllegalArgumentException unfit) {
                throw refused(i, node, String.valueOf(unfit.getMessage()));
            } catch (ArithmeticException overflow) {
                throw refused(i, node, "it computes more values than a number can say");
            }
            if (values / samples > MOST_VALUES) {
                throw refused(
                        i,
                        node,
                        "up to here %,d values are computed of a sample; the most is %,d"
                                .formatted(values / samples, MOST_VALUES));
            }
            shapes.add(List.copyOf(shape));
        }
        return shapes;
    }

    private static List<Long> shape(Node node, List<List<Long>> shapes, Map<String, List<Long>> tensors, int samples) {
        Operation.Operands operands = node.operation().operands();
        int count = node.inputs().size();
        OperandShapes.require(
                count >= operands.least() && count <= operands.most(),
                "it takes %d to %d operands, not %d",
                operands.least(),
                operands.most(),
                count);
        List<List<Long>> inputs = node.inputs().stream()
                .map(operand -> operand instanceof Value value
                        ? shapes.get(value.index())
                        : tensors.getOrDefault(((Tensor) operand).name(), List.of()))
                .toList();
        List<Long> output = node.operation().output(new OperandShapes(inputs, tensors, samples));
        OperandShapes.require(
                !output.isEmpty()
                        && output.size() <= OperandShapes.MOST_DIMENSIONS
                        && output.stream().allMatch(side -> side >= 1),
                "its output has 1 to %d dimensions, of 1 or more; it is %s",
                OperandShapes.MOST_DIMENSIONS,
                output);
        return output;
    }

    private static IllegalArgumentException refused(int index, Node node, String reason) {
        return new IllegalArgumentException("node %d, %s: %s"
                .formatted(
                        index + 1, node.operation().getClass().getSimpleName().toLowerCase(Locale.ROOT), reason));
    }

    /** Returns the shape of a sample's output. */
    public List<Long> output() {
        List<Long> output = shapes(1).get(nodes.size());
        return output.subList(1, output.size());
    }

    /** Returns the number of values that are computed of a sample; views of others' memory do not count. */
    public long computed() {
        List<List<Long>> shapes = shapes(1);
        return IntStream.range(0, nodes.size())
                .filter(i -> !(nodes.get(i).operation() instanceof Reshaping))
                .mapToLong(i -> OperandShapes.count(shapes.get(i + 1)))
                .sum();
    }

    /** Returns the number of values that the largest operator reads and computes of a sample. */
    public long largest() {
        List<List<Long>> shapes = shapes(1);
        return IntStream.range(0, nodes.size())
                .mapToLong(i -> OperandShapes.count(shapes.get(i + 1))
                        + nodes.get(i).values().stream()
                                .mapToLong(value -> OperandShapes.count(shapes.get(value)))
                                .sum())
                .max()
                .orElse(0);
    }

    /** Returns the state: the momentum of each running statistic, by name. */
    public SortedMap<String, Float> momenta() {
        SortedMap<String, Float> momenta = new TreeMap<>();
        for (Node node : nodes) {
            if (node.operation() instanceof BatchNorm norm) {
                momenta.put(norm.mean(), norm.momentum());
                momenta.put(norm.variance(), norm.momentum());
            }
        }
        return momenta;
    }
}

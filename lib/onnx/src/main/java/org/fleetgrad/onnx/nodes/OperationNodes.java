package org.fleetgrad.onnx.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.fleetgrad.networks.graph.Elementwise;
import org.fleetgrad.networks.graph.Graph;
import org.fleetgrad.networks.graph.Mixing;
import org.fleetgrad.networks.graph.Mixing.Attention;
import org.fleetgrad.networks.graph.Mixing.MatMul;
import org.fleetgrad.networks.graph.Mixing.Softmax;
import org.fleetgrad.networks.graph.Node;
import org.fleetgrad.networks.graph.Operand;
import org.fleetgrad.networks.graph.Operand.Value;
import org.fleetgrad.networks.graph.Operation;
import org.fleetgrad.networks.graph.Pooling;
import org.fleetgrad.networks.graph.Pooling.Adaptive;
import org.fleetgrad.networks.graph.Pooling.Reduction;
import org.fleetgrad.networks.graph.Pooling.Window;
import org.fleetgrad.networks.graph.Reshaping;
import org.fleetgrad.networks.graph.Weighted;
import org.fleetgrad.networks.graph.Weighted.BatchNorm;
import org.fleetgrad.networks.graph.Weighted.Convolution;
import org.fleetgrad.networks.graph.Weighted.GroupNorm;
import org.fleetgrad.networks.graph.Weighted.LayerNorm;
import org.fleetgrad.networks.graph.Weighted.Linear;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.nodes.Pools.Windows;

/** Turns the operators of a graph of one's own into nodes, as they compute in an evaluation. */
final class OperationNodes {

    private static final int BEFORE_SIDES = 2;

    private final OnnxGraph graph;
    private final UnaryOperator<String> names;
    private final Arrangements arrangements;

    private OperationNodes(OnnxGraph graph, UnaryOperator<String> names, String input) {
        this.graph = graph;
        this.names = names;
        this.arrangements = new Arrangements(graph, input);
    }

    /**
     * Adds the nodes of a graph, or of a piece of one.
     *
     * @param names the full name of each tensor
     * @param x     what the piece reads
     * @param input what the network takes, whose first side is the samples
     */
    static String add(OnnxGraph graph, Graph piece, UnaryOperator<String> names, String x, String input) {
        OperationNodes nodes = new OperationNodes(graph, names, input);
        List<List<Long>> shapes = piece.shapes(1);
        List<String> values = new ArrayList<>(List.of(x));
        for (Node node : piece.nodes()) {
            String[] operands = new String[node.inputs().size()];
            List<List<Long>> of = new ArrayList<>();
            for (int i = 0; i < operands.length; i++) {
                Operand operand = node.inputs().get(i);
                if (operand instanceof Value value) {
                    operands[i] = values.get(value.index());
                    of.add(shapes.get(value.index()));
                } else {
                    String tensor = names.apply(((Operand.Tensor) operand).name());
                    operands[i] = graph.tensor(tensor);
                    of.add(graph.shape(tensor));
                }
            }
            values.add(nodes.add(node.operation(), operands, of, shapes.get(values.size())));
        }
        return values.get(values.size() - 1);
    }

    private String add(Operation operation, String[] x, List<List<Long>> shapes, List<Long> output) {
        // Java 17 has no switch over types.
        if (operation instanceof Weighted weighted) {
            return weighted(weighted, x[0], shapes.get(0));
        } else if (operation instanceof Pooling pooling) {
            return pooling(pooling, x[0], shapes.get(0), output);
        } else if (operation instanceof Mixing mixing) {
            return mixing(mixing, x, shapes.get(0).size());
        } else if (operation instanceof Elementwise elementwise) {
            return ElementwiseNodes.add(graph, elementwise, x);
        }
        return arrangements.add((Reshaping) operation, x, shapes);
    }

    private String weighted(Weighted operation, String x, List<Long> shape) {
        if (operation instanceof Convolution conv) {
            return Products.convolution(
                    graph,
                    x,
                    names.apply(conv.weight()),
                    conv.bias().map(names),
                    longs(conv.stride()),
                    longs(conv.padding()),
                    longs(conv.dilation()),
                    conv.groups());
        } else if (operation instanceof BatchNorm norm) {
            return Products.batchNorm(
                    graph,
                    x,
                    names.apply(norm.weight()),
                    names.apply(norm.bias()),
                    names.apply(norm.mean()),
                    names.apply(norm.variance()),
                    norm.epsilon());
        } else if (operation instanceof LayerNorm norm) {
            return norm.weight().isPresent()
                    ? Products.layerNorm(
                            graph,
                            x,
                            graph.tensor(names.apply(norm.weight().get())),
                            graph.tensor(names.apply(norm.bias().orElseThrow())),
                            norm.epsilon())
                    : unweighted(x, norm.width(), norm.epsilon());
        } else if (operation instanceof GroupNorm norm) {
            return grouped(norm, x, shape);
        }
        Linear linear = (Linear) operation;
        return Products.linear(
                graph,
                x,
                shape.size(),
                names.apply(linear.weight()),
                linear.bias().map(names),
                false);
    }

    private String unweighted(String x, long width, double epsilon) {
        float[] ones = new float[Math.toIntExact(width)];
        java.util.Arrays.fill(ones, 1);
        return Products.layerNorm(
                graph,
                x,
                graph.floats(List.of(width), ones),
                graph.floats(List.of(width), new float[ones.length]),
                epsilon);
    }

    /** A layer norm over each group, and then the scale of each channel. */
    private String grouped(GroupNorm norm, String x, List<Long> shape) {
        long size = shape.stream().skip(1).reduce(1L, Math::multiplyExact) / norm.groups();
        String groups = graph.add("Reshape", Attributes.none(), x, graph.integers(0, norm.groups(), size));
        String normalized = unweighted(groups, size, norm.epsilon());
        long[] back = longsOf(shape);
        back[0] = -1;
        String again = graph.add("Reshape", Attributes.none(), normalized, graph.integers(back));
        long[] byChannel = new long[shape.size() - 1];
        java.util.Arrays.fill(byChannel, 1);
        byChannel[0] = shape.get(1);
        String scaled = graph.add("Mul", Attributes.none(), again, reshaped(norm.weight(), byChannel));
        return graph.add("Add", Attributes.none(), scaled, reshaped(norm.bias(), byChannel));
    }

    private String reshaped(String tensor, long[] shape) {
        return graph.add("Reshape", Attributes.none(), graph.tensor(names.apply(tensor)), graph.integers(shape));
    }

    private String pooling(Pooling operation, String x, List<Long> input, List<Long> output) {
        if (operation instanceof Window window) {
            Windows windows = new Windows(
                    sides(input),
                    sides(output),
                    longs(window.kernel()),
                    longs(window.stride()),
                    longs(window.padding()));
            return window.isMean()
                    ? Pools.mean(graph, x, windows, window.countsPadding())
                    : Pools.greatest(graph, x, windows);
        } else if (operation instanceof Adaptive adaptive) {
            return adaptive.isMean()
                    ? Pools.adaptiveMean(graph, x, sides(input), longs(adaptive.sides()))
                    : Pools.adaptiveGreatest(graph, x, sides(input), longs(adaptive.sides()));
        }
        Reduction reduction = (Reduction) operation;
        long[] axes = longs(reduction.dimensions());
        long isKept = reduction.isKept() ? 1 : 0;
        String type = switch (reduction.kind()) {
            case AMAX -> "ReduceMax";
            case MEAN -> "ReduceMean";
            case NORM -> "ReduceL2";
            case SUM -> "ReduceSum";
        };
        Attributes kept = Attributes.none().with("keepdims", isKept);
        // In opset 17 the dimensions of a sum alone are an operand.
        return reduction.kind() == Pooling.Kind.SUM
                ? graph.add(type, kept, x, graph.integers(axes))
                : graph.add(type, kept.with("axes", axes), x);
    }

    private String mixing(Mixing operation, String[] x, int rank) {
        if (operation instanceof MatMul) {
            return graph.add("MatMul", Attributes.none(), x);
        } else if (operation instanceof Softmax softmax) {
            return graph.add(
                    softmax.isLogarithm() ? "LogSoftmax" : "Softmax",
                    Attributes.none().with("axis", softmax.dimension()),
                    x);
        }
        Attention attention = (Attention) operation;
        return Attentions.attention(
                graph,
                x[0],
                x[1],
                x[2],
                rank,
                attention.scale(),
                attention.isCausal(),
                x.length > 3 ? Optional.of(x[3]) : Optional.empty());
    }

    private static long[] sides(List<Long> shape) {
        return longsOf(shape.subList(BEFORE_SIDES, shape.size()));
    }

    private static long[] longs(List<Integer> numbers) {
        return numbers.stream().mapToLong(Integer::longValue).toArray();
    }

    private static long[] longsOf(List<Long> numbers) {
        return numbers.stream().flatMapToLong(LongStream::of).toArray();
    }
}

package org.fleetgrad.onnx.nodes;

import java.util.Optional;
import java.util.stream.LongStream;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.OnnxGraph;

/** Nodes of layers with tensors of their own: products and normalizations. Layers of the zoo and operators of graphs share them. */
final class Products {

    private static final int MATRIX = 2;

    private Products() {}

    /** A convolution over the last one or two dimensions, with one number for each of them. */
    static String convolution(
            OnnxGraph graph,
            String x,
            String weight,
            Optional<String> bias,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups) {
        Attributes attributes = Attributes.none()
                .with("strides", stride)
                .with(
                        "pads",
                        LongStream.concat(LongStream.of(padding), LongStream.of(padding))
                                .toArray())
                .with("dilations", dilation)
                .with("group", groups);
        return bias.isPresent()
                ? graph.add("Conv", attributes, x, graph.tensor(weight), graph.tensor(bias.get()))
                : graph.add("Conv", attributes, x, graph.tensor(weight));
    }

    /**
     * A linear layer over the last dimension.
     *
     * @param rank         dimensions of x, the samples' included
     * @param isInputFirst whether the weight is [in, out] and not [out, in]
     */
    static String linear(
            OnnxGraph graph, String x, int rank, String weight, Optional<String> bias, boolean isInputFirst) {
        if (rank == MATRIX) {
            Attributes attributes = Attributes.none().with("transB", isInputFirst ? 0L : 1L);
            return bias.isPresent()
                    ? graph.add("Gemm", attributes, x, graph.tensor(weight), graph.tensor(bias.get()))
                    : graph.add("Gemm", attributes, x, graph.tensor(weight));
        }
        String matrix = isInputFirst
                ? graph.tensor(weight)
                : graph.add("Transpose", Attributes.none().with("perm", 1L, 0L), graph.tensor(weight));
        String product = graph.add("MatMul", Attributes.none(), x, matrix);
        return bias.isPresent() ? graph.add("Add", Attributes.none(), product, graph.tensor(bias.get())) : product;
    }

    /** A batch normalization over the second dimension, by the running statistics. */
    static String batchNorm(
            OnnxGraph graph, String x, String weight, String bias, String mean, String variance, double epsilon) {
        return graph.add(
                "BatchNormalization",
                Attributes.none().withReal("epsilon", epsilon),
                x,
                graph.tensor(weight),
                graph.tensor(bias),
                graph.tensor(mean),
                graph.tensor(variance));
    }

    /** A layer normalization over the last dimension by values of its width. */
    static String layerNorm(OnnxGraph graph, String x, String weight, String bias, double epsilon) {
        return graph.add(
                "LayerNormalization",
                Attributes.none().with("axis", -1L).withReal("epsilon", epsilon),
                x,
                weight,
                bias);
    }

    /** The rows of a table for indices. */
    static String rows(OnnxGraph graph, String indices, String table) {
        return graph.add("Gather", Attributes.none(), graph.tensor(table), indices);
    }
}

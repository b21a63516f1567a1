package org.fleetgrad.onnx.nodes;

import org.fleetgrad.networks.graph.Elementwise.Function;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.OnnxGraph;

/** Nodes of functions of one value. */
final class Functions {

    private Functions() {}

    static String of(OnnxGraph graph, Function function, String x) {
        return switch (function) {
            case ABS -> plain(graph, "Abs", x);
            case COS -> plain(graph, "Cos", x);
            case ERF -> plain(graph, "Erf", x);
            case EXP -> plain(graph, "Exp", x);
            case GELU -> gelu(graph, x);
            case GELU_TANH -> geluByTanh(graph, x);
            case HARDSIGMOID ->
                graph.add(
                        "HardSigmoid",
                        Attributes.none().withReal("alpha", 1.0 / 6).withReal("beta", 0.5),
                        x);
            case HARDSWISH -> plain(graph, "HardSwish", x);
            case LOG -> plain(graph, "Log", x);
            case MISH -> product(graph, x, plain(graph, "Tanh", plain(graph, "Softplus", x)));
            case NEG -> plain(graph, "Neg", x);
            case RELU -> plain(graph, "Relu", x);
            case RSQRT -> plain(graph, "Reciprocal", plain(graph, "Sqrt", x));
            case SELU -> plain(graph, "Selu", x);
            case SIGMOID -> plain(graph, "Sigmoid", x);
            case SILU -> product(graph, x, plain(graph, "Sigmoid", x));
            case SIN -> plain(graph, "Sin", x);
            case SOFTPLUS -> plain(graph, "Softplus", x);
            case SQRT -> plain(graph, "Sqrt", x);
            case TANH -> plain(graph, "Tanh", x);
        };
    }

    private static String plain(OnnxGraph graph, String type, String x) {
        return graph.add(type, Attributes.none(), x);
    }

    private static String product(OnnxGraph graph, String a, String b) {
        return graph.add("Mul", Attributes.none(), a, b);
    }

    private static String sum(OnnxGraph graph, String a, String b) {
        return graph.add("Add", Attributes.none(), a, b);
    }

    /** {@code x / 2 (1 + erf(x / sqrt(2)))}. */
    private static String gelu(OnnxGraph graph, String x) {
        String part = plain(graph, "Erf", product(graph, x, graph.constant(Math.sqrt(0.5))));
        return product(graph, product(graph, x, graph.constant(0.5)), sum(graph, part, graph.constant(1)));
    }

    /** {@code x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))}. */
    private static String geluByTanh(OnnxGraph graph, String x) {
        String cube = product(graph, product(graph, x, x), x);
        String inner = sum(graph, x, product(graph, cube, graph.constant(0.044715)));
        String part = plain(graph, "Tanh", product(graph, inner, graph.constant(Math.sqrt(2 / Math.PI))));
        return product(graph, product(graph, x, graph.constant(0.5)), sum(graph, part, graph.constant(1)));
    }
}

package org.fleetgrad.onnx.nodes;

import java.util.OptionalDouble;
import org.fleetgrad.networks.graph.Elementwise;
import org.fleetgrad.networks.graph.Elementwise.Arithmetic;
import org.fleetgrad.networks.graph.Elementwise.Clamp;
import org.fleetgrad.networks.graph.Elementwise.Elu;
import org.fleetgrad.networks.graph.Elementwise.LeakyRelu;
import org.fleetgrad.networks.graph.Elementwise.Unary;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.OnnxGraph;

/** Nodes of operators that compute each value by itself. */
final class ElementwiseNodes {

    private ElementwiseNodes() {}

    static String add(OnnxGraph graph, Elementwise operation, String... x) {
        // Java 17 has no switch over types.
        if (operation instanceof Unary unary) {
            return Functions.of(graph, unary.function(), x[0]);
        } else if (operation instanceof Arithmetic arithmetic) {
            String second = arithmetic.scalar().isPresent()
                    ? graph.constant(arithmetic.scalar().getAsDouble())
                    : x[1];
            return graph.add(type(arithmetic.kind()), Attributes.none(), x[0], second);
        } else if (operation instanceof Clamp clamp) {
            return graph.add("Clip", Attributes.none(), x[0], bound(graph, clamp.least()), bound(graph, clamp.most()));
        } else if (operation instanceof LeakyRelu leaky) {
            return graph.add("LeakyRelu", Attributes.none().withReal("alpha", leaky.slope()), x[0]);
        } else if (operation instanceof Elu elu) {
            return graph.add("Elu", Attributes.none().withReal("alpha", elu.alpha()), x[0]);
        }
        // A dropout drops in training alone.
        return x[0];
    }

    /** An absent bound is an operand without a name. */
    private static String bound(OnnxGraph graph, OptionalDouble bound) {
        return bound.isPresent() ? graph.constant(bound.getAsDouble()) : "";
    }

    private static String type(Elementwise.Kind kind) {
        return switch (kind) {
            case ADD -> "Add";
            case DIV -> "Div";
            case MAXIMUM -> "Max";
            case MINIMUM -> "Min";
            case MUL -> "Mul";
            case POW -> "Pow";
            case SUB -> "Sub";
        };
    }
}

package org.fleetgrad.onnx.nodes;

import java.util.Optional;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;

/** Nodes of scaled dot-product attention: {@code softmax(scale q k^T + mask) v}. */
final class Attentions {

    private Attentions() {}

    /**
     * Attention of queries, keys and values, [..., tokens, width].
     *
     * @param rank     their number of dimensions
     * @param isCausal whether a query sees no later key
     * @param mask     what is added to the products
     */
    static String attention(
            OnnxGraph graph,
            String queries,
            String keys,
            String values,
            int rank,
            double scale,
            boolean isCausal,
            Optional<String> mask) {
        long[] turned = new long[rank];
        for (int i = 0; i < rank; i++) {
            turned[i] = i;
        }
        turned[rank - 1] = rank - 2L;
        turned[rank - 2] = rank - 1L;
        String keysTurned = graph.add("Transpose", Attributes.none().with("perm", turned), keys);
        String scaled = graph.add("Mul", Attributes.none(), queries, graph.constant(scale));
        String scores = graph.add("MatMul", Attributes.none(), scaled, keysTurned);
        if (isCausal) {
            scores = graph.add("Add", Attributes.none(), scores, later(graph, scores));
        }
        if (mask.isPresent()) {
            scores = graph.add("Add", Attributes.none(), scores, mask.get());
        }
        String weights = graph.add("Softmax", Attributes.none().with("axis", -1L), scores);
        return graph.add("MatMul", Attributes.none(), weights, values);
    }

    /** Minus infinity for each key after its query, and 0 for the others. */
    private static String later(OnnxGraph graph, String scores) {
        String sides = graph.add("Shape", Attributes.none().with("start", -2L), scores);
        String hidden = graph.add("Expand", Attributes.none(), graph.constant(Double.NEGATIVE_INFINITY), sides);
        return graph.add("Trilu", Attributes.none().with("upper", 1L), hidden, graph.integer(1));
    }

    /**
     * Attention of several heads over queries, keys and values that lie side by side, [count, tokens, 3 width].
     *
     * @param mask what is added to the products [count, heads, tokens, tokens]
     */
    static String ofHeads(OnnxGraph graph, String x, int width, int heads, boolean isCausal, Optional<String> mask) {
        int depth = width / heads;
        String byHead = graph.add("Reshape", Attributes.none(), x, graph.integers(0, 0, 3, heads, depth));
        String parts = graph.add("Transpose", Attributes.none().with("perm", 2L, 0L, 3L, 1L, 4L), byHead);
        String[] three = new String[3];
        for (int i = 0; i < three.length; i++) {
            three[i] = graph.add("Gather", Attributes.none(), parts, graph.integer(i));
        }
        double scale = 1 / Math.sqrt((double) depth);
        String together = attention(graph, three[0], three[1], three[2], 4, scale, isCausal, mask);
        String byToken = graph.add("Transpose", Attributes.none().with("perm", 0L, 2L, 1L, 3L), together);
        return graph.add("Reshape", Attributes.none(), byToken, graph.integers(0, 0, width));
    }

    /** Minus infinity for each token [count, tokens] that is padding, and 0 for the others: [count, 1, 1, tokens]. */
    static String padding(OnnxGraph graph, String tokens, int padding) {
        String isPadding = graph.add("Equal", Attributes.none(), tokens, graph.integer(padding));
        String hidden = graph.add(
                "Where", Attributes.none(), isPadding, graph.constant(Double.NEGATIVE_INFINITY), graph.constant(0));
        return graph.add("Unsqueeze", Attributes.none(), hidden, graph.integers(1, 2));
    }

    /** Whole numbers of a value that may be of another type. */
    static String whole(OnnxGraph graph, String x) {
        return graph.add("Cast", Attributes.none().with("to", ElementType.INT64.number()), x);
    }
}

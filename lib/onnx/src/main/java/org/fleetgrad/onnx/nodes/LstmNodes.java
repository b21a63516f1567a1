package org.fleetgrad.onnx.nodes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.layer.Lstm;
import org.fleetgrad.networks.layer.Sequential.Part;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.OnnxGraph;

/** Nodes of an LSTM, whose gates PyTorch has in the order input, forget, cell, output, and ONNX in input, output, forget, cell. */
final class LstmNodes {

    private static final int[] GATES = {0, 3, 1, 2};

    private LstmNodes() {}

    /** Turns series [samples, channels, length] into the last layer's state at the last place, [samples, hidden]. */
    static String add(OnnxGraph graph, Lstm lstm, String name, String x) {
        // ONNX takes [places, samples, values].
        String places = graph.add("Transpose", Attributes.none().with("perm", 2L, 0L, 1L), x);
        for (int layer = 0; layer < lstm.layers(); layer++) {
            boolean isLast = layer == lstm.layers() - 1;
            String states = graph.addForOutput(
                    isLast ? 1 : 0,
                    "LSTM",
                    Attributes.none().with("hidden_size", lstm.hidden()),
                    places,
                    gates(graph, lstm, Part.join(name, "weight_ih_l" + layer)),
                    gates(graph, lstm, Part.join(name, "weight_hh_l" + layer)),
                    biases(graph, lstm, name, layer));
            // The direction, of which there is one: of the last state [1, samples, hidden], of all [places, 1, samples,
            // hidden].
            places = graph.add("Squeeze", Attributes.none(), states, graph.integers(isLast ? 0 : 1));
        }
        return places;
    }

    private static String gates(OnnxGraph graph, Lstm lstm, String tensor) {
        long values = graph.shape(tensor).get(1);
        return graph.tensor(tensor, List.of(1L, (long) Lstm.GATES * lstm.hidden(), values), ordered(graph, tensor));
    }

    private static String biases(OnnxGraph graph, Lstm lstm, String name, int layer) {
        String first = Part.join(name, "bias_ih_l" + layer);
        List<ByteBuffer> parts = new ArrayList<>(ordered(graph, first));
        parts.addAll(ordered(graph, Part.join(name, "bias_hh_l" + layer)));
        return graph.tensor(first + "_and_hh", List.of(1L, 2L * Lstm.GATES * lstm.hidden()), parts);
    }

    private static List<ByteBuffer> ordered(OnnxGraph graph, String tensor) {
        ByteBuffer bytes = graph.bytes(tensor);
        int gate = bytes.remaining() / Lstm.GATES;
        List<ByteBuffer> parts = new ArrayList<>();
        for (int from : GATES) {
            parts.add(bytes.slice(from * gate, gate));
        }
        return parts;
    }
}

package org.fleetgrad.networks.layer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.fleetgrad.networks.graph.Graph;
import org.fleetgrad.networks.graph.Node;
import org.fleetgrad.networks.graph.Weighted.BatchNorm;
import org.fleetgrad.networks.graph.Weighted.Convolution;
import org.fleetgrad.networks.graph.Weighted.GroupNorm;
import org.fleetgrad.networks.graph.Weighted.LayerNorm;
import org.fleetgrad.networks.graph.Weighted.Linear;

/**
 * A graph of operators, or a piece of one. Its tensors have their full names. A run begins with the values that were exported; the initial
 * values here, PyTorch's defaults for convolutions, linear layers and normalizations, are for measurements without a file.
 *
 * @param graph what is computed
 */
public record GraphLayer(Graph graph) implements Layer {

    /** Returns what it is called: the module of its first tensor, or nothing if it has none. */
    public String name() {
        return graph.tensors().keySet().stream()
                .findFirst()
                .map(tensor -> tensor.contains(".") ? tensor.substring(0, tensor.lastIndexOf('.')) : tensor)
                .orElse("");
    }

    @Override
    public List<LayerTensor> tensors() {
        Map<String, InitialValues> initial = initial();
        SortedMap<String, Float> momenta = graph.momenta();
        List<LayerTensor> tensors = new ArrayList<>();
        graph.tensors().forEach((name, shape) -> {
            long[] sides = shape.stream().mapToLong(Long::longValue).toArray();
            InitialValues values = initial.getOrDefault(name, InitialValues.TRANSFORMER);
            Float momentum = momenta.get(name);
            tensors.add(
                    momentum == null
                            ? LayerTensor.trainable(name, values, sides)
                            : LayerTensor.state(name, values, momentum, sides));
        });
        return tensors;
    }

    private Map<String, InitialValues> initial() {
        Map<String, InitialValues> initial = new HashMap<>();
        for (Node node : graph.nodes()) {
            if (node.operation() instanceof Convolution || node.operation() instanceof Linear) {
                List<String> names = node.operation().tensors();
                List<Long> weight = graph.tensors().getOrDefault(names.get(0), List.of());
                long fanIn = weight.stream().skip(1).reduce(1L, Math::multiplyExact);
                names.forEach(name -> initial.putIfAbsent(name, InitialValues.fanInUniform(fanIn)));
            } else if (node.operation() instanceof BatchNorm norm) {
                initial.putIfAbsent(norm.weight(), InitialValues.ONES);
                initial.putIfAbsent(norm.bias(), InitialValues.ZEROS);
                initial.put(norm.mean(), InitialValues.ZEROS);
                initial.put(norm.variance(), InitialValues.ONES);
            } else if (node.operation() instanceof LayerNorm norm) {
                norm.weight().ifPresent(name -> initial.putIfAbsent(name, InitialValues.ONES));
                norm.bias().ifPresent(name -> initial.putIfAbsent(name, InitialValues.ZEROS));
            } else if (node.operation() instanceof GroupNorm norm) {
                initial.putIfAbsent(norm.weight(), InitialValues.ONES);
                initial.putIfAbsent(norm.bias(), InitialValues.ZEROS);
            }
        }
        return initial;
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        List<Integer> taken = graph.input().stream().map(Math::toIntExact).toList();
        if (!taken.equals(input)) {
            throw new IllegalArgumentException("the graph takes %s; it gets %s".formatted(taken, input));
        }
        return graph.output().stream().map(Math::toIntExact).toList();
    }
}

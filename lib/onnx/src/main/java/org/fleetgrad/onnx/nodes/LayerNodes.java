package org.fleetgrad.onnx.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.graph.Elementwise.Function;
import org.fleetgrad.networks.layer.BatchNorm1d;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.CategoryEmbeddings;
import org.fleetgrad.networks.layer.ClassToken;
import org.fleetgrad.networks.layer.Conv1d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.GraphLayer;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.AdaptiveAvgPool2d;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Dropout2d;
import org.fleetgrad.networks.layer.Layer.FirstToken;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.Gelu;
import org.fleetgrad.networks.layer.Layer.GlobalAvgPool1d;
import org.fleetgrad.networks.layer.Layer.MaxPool1d;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.PatchTokens;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Layer.Tanh;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Lstm;
import org.fleetgrad.networks.layer.PaddedAttention;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.QueryKeyValue;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.Sequential.Part;
import org.fleetgrad.networks.layer.TiedLinear;
import org.fleetgrad.networks.layer.TokenTypeEmbedding;
import org.fleetgrad.networks.layer.ZeroPaddedShortcut;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.nodes.Pools.Windows;

/** Turns layers into nodes, as they compute in an evaluation: normalizations by their running statistics, and no dropout. */
public final class LayerNodes {

    private static final long[] ONE = {1};
    private static final long[] ONES = {1, 1};

    private final OnnxGraph graph;
    private final String input;

    private LayerNodes(OnnxGraph graph, String input) {
        this.graph = graph;
        this.input = input;
    }

    /**
     * Adds the nodes of a network.
     *
     * @param input  what the network takes, [samples, ...]; whole numbers if they are tokens
     * @param sample shape of one sample
     * @return the logits
     */
    public static String add(OnnxGraph graph, Sequential layers, String input, List<Integer> sample) {
        return new LayerNodes(graph, input).layer(layers, "", input, sample);
    }

    private String layer(Layer layer, String name, String x, List<Integer> sample) {
        // Java 17 has no switch over types.
        if (layer instanceof Sequential several) {
            return sequence(several, name, x, sample);
        } else if (layer instanceof Residual residual) {
            Part shortcut = residual.shortcut();
            String sum = sequence(residual.body(), name, x, sample);
            String added = layer(shortcut.layer(), Part.join(name, shortcut.name()), x, sample);
            return graph.add("Add", Attributes.none(), sum, added);
        } else if (layer instanceof Dropout || layer instanceof Dropout2d) {
            return x;
        } else if (layer instanceof GraphLayer piece) {
            return OperationNodes.add(graph, piece.graph(), tensor -> Part.join(name, tensor), x, input);
        } else if (layer instanceof ReLU) {
            return Functions.of(graph, Function.RELU, x);
        } else if (layer instanceof Tanh) {
            return Functions.of(graph, Function.TANH, x);
        } else if (layer instanceof Gelu gelu) {
            return Functions.of(graph, gelu.isTanh() ? Function.GELU_TANH : Function.GELU, x);
        }
        return product(layer, name, x, sample)
                .or(() -> normalization(layer, name, x))
                .or(() -> ofImages(layer, x, sample))
                .or(() -> ofTokens(layer, name, x, sample))
                .or(() -> ofRows(layer, name, x, sample))
                .orElseThrow(() -> new IllegalStateException("a layer of a kind that has no nodes: " + layer));
    }

    private String sequence(Sequential layers, String name, String x, List<Integer> sample) {
        String value = x;
        List<Integer> shape = sample;
        for (Part part : layers.parts()) {
            value = layer(part.layer(), Part.join(name, part.name()), value, shape);
            shape = part.layer().output(shape);
        }
        return value;
    }

    private Optional<String> product(Layer layer, String name, String x, List<Integer> sample) {
        if (layer instanceof Conv2d conv) {
            Optional<String> bias = conv.isBiased() ? Optional.of(Part.join(name, "bias")) : Optional.empty();
            String weight = Part.join(name, "weight");
            return Optional.of(
                    Products.convolution(graph, x, weight, bias, both(conv.stride()), both(conv.padding()), ONES, 1));
        } else if (layer instanceof Conv1d conv) {
            long[] padding = {conv.padding()};
            return Optional.of(
                    Products.convolution(graph, x, Part.join(name, "weight"), Optional.empty(), ONE, padding, ONE, 1));
        } else if (layer instanceof Linear linear) {
            Optional<String> bias =
                    linear.bias().map(unused -> Part.join(name, linear.form().biasName()));
            String weight = Part.join(name, linear.form().weightName());
            boolean isInputFirst = linear.form() == Linear.Form.CONV1D;
            return Optional.of(Products.linear(graph, x, sample.size() + 1, weight, bias, isInputFirst));
        } else if (layer instanceof TiedLinear tied) {
            return Optional.of(Products.linear(graph, x, sample.size() + 1, tied.tensor(), Optional.empty(), false));
        }
        return Optional.empty();
    }

    private Optional<String> normalization(Layer layer, String name, String x) {
        if (layer instanceof BatchNorm2d || layer instanceof BatchNorm1d) {
            return Optional.of(Products.batchNorm(
                    graph,
                    x,
                    Part.join(name, "weight"),
                    Part.join(name, "bias"),
                    Part.join(name, "running_mean"),
                    Part.join(name, "running_var"),
                    BatchNorm2d.EPSILON));
        } else if (layer instanceof LayerNorm norm) {
            String weight = graph.tensor(Part.join(name, "weight"));
            String bias = graph.tensor(Part.join(name, "bias"));
            return Optional.of(Products.layerNorm(graph, x, weight, bias, norm.epsilon()));
        }
        return Optional.empty();
    }

    private Optional<String> ofImages(Layer layer, String x, List<Integer> sample) {
        if (layer instanceof MaxPool2d pool) {
            List<Integer> output = pool.output(sample);
            return Optional.of(Pools.greatest(
                    graph,
                    x,
                    new Windows(
                            sides(sample),
                            sides(output),
                            both(pool.kernel()),
                            both(pool.stride()),
                            both(pool.padding()))));
        } else if (layer instanceof AdaptiveAvgPool2d pool) {
            return Optional.of(Pools.adaptiveMean(graph, x, sides(sample), both(pool.side())));
        } else if (layer instanceof Flatten) {
            return Optional.of(graph.add("Flatten", Attributes.none(), x));
        } else if (layer instanceof ZeroPaddedShortcut shortcut) {
            return Optional.of(shortcut(shortcut, x));
        } else if (layer instanceof PatchTokens) {
            String flat = graph.add("Reshape", Attributes.none(), x, graph.integers(0, 0, -1));
            return Optional.of(graph.add("Transpose", Attributes.none().with("perm", 0L, 2L, 1L), flat));
        }
        return Optional.empty();
    }

    private String shortcut(ZeroPaddedShortcut shortcut, String x) {
        String sampled = graph.add(
                "Slice",
                Attributes.none(),
                x,
                graph.integers(0, 0),
                graph.integers(Long.MAX_VALUE, Long.MAX_VALUE),
                graph.integers(2, 3),
                graph.integers(shortcut.stride(), shortcut.stride()));
        int before = (shortcut.out() - shortcut.in()) / 2;
        return graph.add("Pad", Attributes.none(), sampled, graph.integers(0, before, 0, 0, 0, before, 0, 0));
    }

    private Optional<String> ofTokens(Layer layer, String name, String x, List<Integer> sample) {
        if (layer instanceof Embedding) {
            return Optional.of(Products.rows(graph, x, Part.join(name, "weight")));
        } else if (layer instanceof PositionEmbedding positions) {
            String rows = graph.tensor(Part.join(name, positions.tensor()));
            long axis = positions.shape().size() - 2L;
            String tokens =
                    graph.add("Shape", Attributes.none().with("start", 1L).with("end", 2L), x);
            String first = graph.add("Slice", Attributes.none(), rows, graph.integers(0), tokens, graph.integers(axis));
            return Optional.of(graph.add("Add", Attributes.none(), x, first));
        } else if (layer instanceof TokenTypeEmbedding) {
            String rows = graph.tensor(Part.join(name, "weight"));
            String first = graph.add("Gather", Attributes.none(), rows, graph.integers(0));
            return Optional.of(graph.add("Add", Attributes.none(), x, first));
        } else if (layer instanceof QueryKeyValue) {
            String[] parts = QueryKeyValue.PARTS.stream()
                    .map(part -> Part.join(name, part))
                    .map(part -> Products.linear(
                            graph, x, sample.size() + 1, part + ".weight", Optional.of(part + ".bias"), false))
                    .toArray(String[]::new);
            return Optional.of(graph.add("Concat", Attributes.none().with("axis", -1L), parts));
        } else if (layer instanceof SelfAttention attention) {
            return Optional.of(Attentions.ofHeads(
                    graph, x, attention.width(), attention.heads(), attention.isCausal(), Optional.empty()));
        } else if (layer instanceof PaddedAttention attention) {
            Optional<String> mask = Optional.of(Attentions.padding(graph, input, attention.padding()));
            return Optional.of(Attentions.ofHeads(graph, x, attention.width(), attention.heads(), false, mask));
        } else if (layer instanceof ClassToken token) {
            String samples =
                    graph.add("Shape", Attributes.none().with("start", 0L).with("end", 1L), x);
            String sides =
                    graph.add("Concat", Attributes.none().with("axis", 0L), samples, graph.integers(1, token.width()));
            String tokens = graph.add("Expand", Attributes.none(), graph.tensor(Part.join(name, "class_token")), sides);
            return Optional.of(graph.add("Concat", Attributes.none().with("axis", 1L), tokens, x));
        } else if (layer instanceof FirstToken) {
            return Optional.of(graph.add("Gather", Attributes.none().with("axis", 1L), x, graph.integer(0)));
        }
        return Optional.empty();
    }

    private Optional<String> ofRows(Layer layer, String name, String x, List<Integer> sample) {
        if (layer instanceof CategoryEmbeddings categories) {
            return Optional.of(categories(categories, name, x));
        } else if (layer instanceof Lstm lstm) {
            return Optional.of(LstmNodes.add(graph, lstm, name, x));
        } else if (layer instanceof MaxPool1d pool) {
            long[] kernel = {pool.kernel()};
            long[] before = {sample.get(1)};
            long[] after = {pool.output(sample).get(1)};
            return Optional.of(Pools.greatest(graph, x, new Windows(before, after, kernel, kernel, new long[] {0})));
        } else if (layer instanceof GlobalAvgPool1d) {
            return Optional.of(graph.add(
                    "ReduceMean", Attributes.none().with("axes", new long[] {2}).with("keepdims", 0L), x));
        }
        return Optional.empty();
    }

    /** Joins the plain values of rows and the learned ones of their categories. */
    private String categories(CategoryEmbeddings categories, String name, String x) {
        List<String> parts = new ArrayList<>();
        if (categories.numbers() > 0) {
            parts.add(columns(x, 0, categories.numbers()));
        }
        for (int i = 0; i < categories.tables().size(); i++) {
            int column = categories.numbers() + i;
            String index = graph.add("Squeeze", Attributes.none(), columns(x, column, column + 1), graph.integers(1));
            parts.add(Products.rows(graph, Attentions.whole(graph, index), Part.join(name, i + ".weight")));
        }
        return graph.add("Concat", Attributes.none().with("axis", 1L), parts.toArray(String[]::new));
    }

    private String columns(String x, int from, int to) {
        return graph.add("Slice", Attributes.none(), x, graph.integers(from), graph.integers(to), graph.integers(1));
    }

    private static long[] both(int side) {
        return new long[] {side, side};
    }

    private static long[] sides(List<Integer> image) {
        return new long[] {image.get(1), image.get(2)};
    }
}

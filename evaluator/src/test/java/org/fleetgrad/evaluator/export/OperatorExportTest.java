package org.fleetgrad.evaluator.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.graph.Elementwise;
import org.fleetgrad.networks.graph.Elementwise.Arithmetic;
import org.fleetgrad.networks.graph.Elementwise.Clamp;
import org.fleetgrad.networks.graph.Elementwise.Dropout;
import org.fleetgrad.networks.graph.Elementwise.Dropped;
import org.fleetgrad.networks.graph.Elementwise.Elu;
import org.fleetgrad.networks.graph.Elementwise.Function;
import org.fleetgrad.networks.graph.Elementwise.LeakyRelu;
import org.fleetgrad.networks.graph.Elementwise.Unary;
import org.fleetgrad.networks.graph.Graph;
import org.fleetgrad.networks.graph.Mixing.Attention;
import org.fleetgrad.networks.graph.Mixing.MatMul;
import org.fleetgrad.networks.graph.Mixing.Softmax;
import org.fleetgrad.networks.graph.Node;
import org.fleetgrad.networks.graph.Operand;
import org.fleetgrad.networks.graph.Operand.Tensor;
import org.fleetgrad.networks.graph.Operand.Value;
import org.fleetgrad.networks.graph.Operation;
import org.fleetgrad.networks.graph.Pooling;
import org.fleetgrad.networks.graph.Pooling.Adaptive;
import org.fleetgrad.networks.graph.Pooling.Reduction;
import org.fleetgrad.networks.graph.Pooling.Window;
import org.fleetgrad.networks.graph.Reshaping.Cat;
import org.fleetgrad.networks.graph.Reshaping.Constant;
import org.fleetgrad.networks.graph.Reshaping.Expand;
import org.fleetgrad.networks.graph.Reshaping.Pad;
import org.fleetgrad.networks.graph.Reshaping.Permute;
import org.fleetgrad.networks.graph.Reshaping.Reshape;
import org.fleetgrad.networks.graph.Reshaping.Rows;
import org.fleetgrad.networks.graph.Reshaping.Slice;
import org.fleetgrad.networks.graph.Size;
import org.fleetgrad.networks.graph.Table;
import org.fleetgrad.networks.graph.Weighted.BatchNorm;
import org.fleetgrad.networks.graph.Weighted.Convolution;
import org.fleetgrad.networks.graph.Weighted.GroupNorm;
import org.fleetgrad.networks.graph.Weighted.LayerNorm;
import org.fleetgrad.networks.graph.Weighted.Linear;
import org.fleetgrad.networks.layer.GraphLayer;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.onnx.OnnxExport;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each operator of a graph of one's own, in onnxruntime beside libtorch. */
class OperatorExportTest {

    private static final double MOST = 1e-5;
    private static final List<Long> IMAGE = List.of(4L, 7L, 9L);
    private static final Size BATCH = new Size(1, true);

    @TempDir
    private Path folder;

    /**
     * A graph.
     *
     * @param tensors of the network
     * @param nodes   in their order
     */
    private record Case(String name, Map<String, List<Long>> tensors, List<Node> nodes) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Node node(Operation operation, int... values) {
        return new Node(
                operation,
                Arrays.stream(values)
                        .mapToObj(value -> (Operand) new Value(value))
                        .toList());
    }

    private static Case of(String name, Node... nodes) {
        return new Case(name, Map.of(), List.of(nodes));
    }

    private static Reshape reshape(long... sides) {
        List<Size> sizes = new ArrayList<>(List.of(BATCH));
        Arrays.stream(sides).forEach(side -> sizes.add(new Size(side, false)));
        return new Reshape(sizes);
    }

    private static Window window(boolean isMean, int padding, boolean isCeil, boolean countsPadding) {
        return new Window(isMean, List.of(3, 2), List.of(2, 2), List.of(padding, padding), isCeil, countsPadding);
    }

    static Stream<Case> cases() {
        return Stream.of(weighted(), pooling(), mixing(), arranging()).flatMap(List::stream);
    }

    private static List<Case> weighted() {
        return List.of(
                new Case(
                        "convolution with groups and dilation",
                        Map.of("w", List.of(6L, 2L, 3L, 2L), "b", List.of(6L)),
                        List.of(node(
                                new Convolution("w", Optional.of("b"), List.of(2, 1), List.of(1, 2), List.of(1, 2), 2),
                                0))),
                new Case(
                        "convolution in one dimension",
                        Map.of("w", List.of(5L, 4L, 3L)),
                        List.of(
                                node(reshape(4, 63), 0),
                                node(
                                        new Convolution("w", Optional.empty(), List.of(2), List.of(1), List.of(1), 1),
                                        1))),
                new Case(
                        "batch norm",
                        Map.of("w", List.of(4L), "b", List.of(4L), "m", List.of(4L), "v", List.of(4L)),
                        List.of(node(new BatchNorm("w", "b", "m", "v", 0.1f, 1e-3), 0))),
                new Case(
                        "layer norm",
                        Map.of("w", List.of(9L), "b", List.of(9L)),
                        List.of(node(new LayerNorm(Optional.of("w"), Optional.of("b"), 9, 1e-5), 0))),
                of("layer norm without tensors", node(new LayerNorm(Optional.empty(), Optional.empty(), 9, 1e-5), 0)),
                new Case(
                        "group norm",
                        Map.of("w", List.of(4L), "b", List.of(4L)),
                        List.of(node(new GroupNorm("w", "b", 2, 1e-5), 0))),
                new Case(
                        "linear of tokens",
                        Map.of("w", List.of(5L, 9L), "b", List.of(5L)),
                        List.of(node(new Linear("w", Optional.of("b")), 0))),
                new Case(
                        "linear of rows without bias",
                        Map.of("w", List.of(5L, 252L)),
                        List.of(node(reshape(252), 0), node(new Linear("w", Optional.empty()), 1))),
                new Case(
                        "a tensor as an operand",
                        Map.of("p", List.of(7L, 9L)),
                        List.of(new Node(
                                new Arithmetic(Elementwise.Kind.ADD, OptionalDouble.empty()),
                                List.of(new Value(0), new Tensor("p"))))));
    }

    private static List<Case> pooling() {
        List<Case> cases = new ArrayList<>(List.of(
                of("max of windows", node(window(false, 1, false, true), 0)),
                of("max of windows, ceil", node(window(false, 1, true, true), 0)),
                of("mean of windows", node(window(true, 0, false, true), 0)),
                of("mean of windows, padded", node(window(true, 1, false, true), 0)),
                of("mean of windows, padding left out", node(window(true, 1, false, false), 0)),
                of("mean of windows, ceil", node(window(true, 1, true, true), 0)),
                of("mean of windows, ceil, padding left out", node(window(true, 1, true, false), 0)),
                of(
                        "max of a series",
                        node(reshape(4, 63), 0),
                        node(new Window(false, List.of(4), List.of(3), List.of(0), true, true), 1))));
        for (boolean isMean : new boolean[] {true, false}) {
            cases.add(of("adaptive, whole, " + isMean, node(new Adaptive(isMean, List.of(1, 3)), 0)));
            cases.add(of("adaptive, not whole, " + isMean, node(new Adaptive(isMean, List.of(3, 4)), 0)));
            cases.add(of("adaptive, larger, " + isMean, node(new Adaptive(isMean, List.of(10, 9)), 0)));
            cases.add(of(
                    "adaptive of a series, " + isMean,
                    node(reshape(4, 63), 0),
                    node(new Adaptive(isMean, List.of(5)), 1)));
        }
        for (Pooling.Kind kind : Pooling.Kind.values()) {
            cases.add(of("all " + kind, node(new Reduction(kind, List.of(1, 3), false), 0)));
            cases.add(of("all kept " + kind, node(new Reduction(kind, List.of(2), true), 0)));
        }
        return cases;
    }

    private static List<Case> mixing() {
        Permute turned = new Permute(List.of(0, 1, 3, 2));
        Case masked = new Case(
                "attention with a mask",
                Map.of("mask", List.of(7L, 7L)),
                List.of(new Node(
                        new Attention("a", 0.4, false, 0.2f),
                        List.of(new Value(0), new Value(0), new Value(0), new Tensor("mask")))));
        return List.of(
                of("product", node(turned, 0), node(new MatMul(), 0, 1)),
                of("softmax", node(new Softmax(2, false), 0)),
                of("logarithm of softmax", node(new Softmax(1, true), 0)),
                of("attention", node(new Attention("a", 1 / 3.0, false, 0), 0, 0, 0)),
                of("causal attention", node(new Attention("a", 0.5, true, 0), 0, 0, 0)),
                masked);
    }

    private static List<Case> arranging() {
        float[] numbers = {1, -2, 3, 4, 5, 6, 7, 8, 9};
        return List.of(
                of("permute", node(new Permute(List.of(0, 3, 1, 2)), 0)),
                of("slice", node(new Slice(3, 1, 8, 3), 0)),
                new Case(
                        "rows",
                        Map.of("places", List.of(3L, 9L)),
                        List.of(
                                new Node(new Rows(new Table(2, 0, 2, 1, 1, 0, 2)), List.of(new Tensor("places"))),
                                node(new Arithmetic(Elementwise.Kind.MUL, OptionalDouble.empty()), 0, 1))),
                of("cat", node(new Unary(Function.NEG), 0), node(new Cat(1), 0, 1, 0)),
                of("pad", node(new Pad(List.of(1, 2, 0, 3), -1.5), 0)),
                of(
                        "constant",
                        node(new Constant(List.of(9L), new Table(numbers))),
                        node(new Arithmetic(Elementwise.Kind.MUL, OptionalDouble.empty()), 0, 1)),
                of(
                        "expand by samples",
                        node(new Constant(List.of(1L, 4L, 1L, 1L), new Table(1, 2, 3, 4)), new int[0]),
                        node(new Expand(List.of(BATCH, size(4), size(7), size(9))), 1),
                        node(new Arithmetic(Elementwise.Kind.SUB, OptionalDouble.empty()), 0, 2)),
                of(
                        "a side of two per sample",
                        node(new Reshape(List.of(new Size(2, true), size(126))), 0),
                        node(new Softmax(1, false), 1),
                        node(new Reshape(List.of(BATCH, size(252))), 2)),
                of("dropout", node(new Dropout("d", 0.5f, Dropped.CHANNELS), 0), node(new Unary(Function.ABS), 1)),
                of("clamp", node(new Clamp(OptionalDouble.of(-0.3), OptionalDouble.of(0.4)), 0)),
                of("clamp below", node(new Clamp(OptionalDouble.of(-0.3), OptionalDouble.empty()), 0)),
                of("leaky", node(new LeakyRelu(0.2), 0)),
                of("elu", node(new Elu(0.7), 0)));
    }

    private static Size size(long count) {
        return new Size(count, false);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldComputeWhatLibtorchDoes(Case each) throws IOException {
        requireSame(each);
    }

    @ParameterizedTest
    @EnumSource(Function.class)
    void shouldComputeEachFunctionAsLibtorchDoes(Function function) throws IOException {
        boolean isOfPositive =
                Set.of(Function.LOG, Function.SQRT, Function.RSQRT).contains(function);
        Node before = isOfPositive
                ? node(new Unary(Function.EXP), 0)
                : node(new Arithmetic(Elementwise.Kind.MUL, OptionalDouble.of(2)), 0);
        requireSame(of(function.name(), before, node(new Unary(function), 1)));
    }

    @ParameterizedTest
    @EnumSource(Elementwise.Kind.class)
    void shouldComputeEachArithmeticAsLibtorchDoes(Elementwise.Kind kind) throws IOException {
        Node positive = node(new Unary(Function.EXP), 0);
        requireSame(of(kind + " a number", positive, node(new Arithmetic(kind, OptionalDouble.of(1.7)), 1)));
        requireSame(of(
                kind + " a mean",
                positive,
                node(new Reduction(Pooling.Kind.MEAN, List.of(1), true), 1),
                node(new Arithmetic(kind, OptionalDouble.empty()), 1, 2)));
    }

    @Test
    void shouldTryEachOperator() {
        Set<Class<?>> tried = new HashSet<>(Set.of(Unary.class, Arithmetic.class));
        cases().forEach(each ->
                each.nodes().forEach(node -> tried.add(node.operation().getClass())));

        assertThat(tried).isEqualTo(kinds(Operation.class));
    }

    private static Set<Class<?>> kinds(Class<?> type) {
        if (!type.isSealed()) {
            return Set.of(type);
        }
        Set<Class<?>> kinds = new HashSet<>();
        for (Class<?> each : type.getPermittedSubclasses()) {
            kinds.addAll(kinds(each));
        }
        return kinds;
    }

    private void requireSame(Case each) throws IOException {
        Graph bare = new Graph(IMAGE, each.tensors(), each.nodes());
        List<Node> nodes = new ArrayList<>(each.nodes());
        int outputs = bare.output().stream().mapToInt(Long::intValue).reduce(1, Math::multiplyExact);
        nodes.add(node(reshape(outputs), nodes.size()));
        Map<String, List<Long>> tensors = new LinkedHashMap<>(each.tensors());
        if (tensors.isEmpty()) {
            // A network has something to train.
            tensors.put("shift", List.of((long) outputs));
            nodes.add(new Node(
                    new Arithmetic(Elementwise.Kind.ADD, OptionalDouble.empty()),
                    List.of(new Value(nodes.size()), new Tensor("shift"))));
        }
        NetworkDefinition network = NetworkDefinition.of(
                NetworkName.parse("graph?classes=%d&input=4x7x9".formatted(outputs)),
                Sequential.of("", new GraphLayer(new Graph(IMAGE, tensors, nodes))));
        float[] values = random(Math.toIntExact(network.spec().layout().elementCount()), 1);
        for (int i = 0; i < values.length; i++) {
            // A variance is positive.
            values[i] = Math.abs(values[i]) + 0.1f;
        }
        TensorSet parameters = TensorSet.ofFloats(
                network.spec().layout(), values, network.spec().metadata());
        OnnxExport export = OnnxExport.of(network, parameters, Optional.empty(), Optional.empty());
        Path file = folder.resolve("m.onnx");
        AtomicFile.write(file, export.model()::writeTo);
        try (OnnxSession session = OnnxSession.open(file, export);
                Network own = Libtorch.open(network, Device.CPU)) {
            own.load(parameters);
            for (int count : new int[] {3, 1}) {
                float[] samples = random(count * 252, 2);
                Comparison found = Comparison.of(count, own.logits(samples, count), session.outputs(samples, count));
                assertThat(found.relative()).as("%s: %s", each, found).isLessThan(MOST);
            }
        }
    }

    private static float[] random(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (2 * random.nextDouble() - 1);
        }
        return values;
    }
}

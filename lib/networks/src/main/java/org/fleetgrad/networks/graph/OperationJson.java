package org.fleetgrad.networks.graph;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.graph.Elementwise.Arithmetic;
import org.fleetgrad.networks.graph.Elementwise.Clamp;
import org.fleetgrad.networks.graph.Elementwise.Dropout;
import org.fleetgrad.networks.graph.Elementwise.Dropped;
import org.fleetgrad.networks.graph.Elementwise.Elu;
import org.fleetgrad.networks.graph.Elementwise.LeakyRelu;
import org.fleetgrad.networks.graph.Elementwise.Unary;
import org.fleetgrad.networks.graph.Mixing.Attention;
import org.fleetgrad.networks.graph.Mixing.MatMul;
import org.fleetgrad.networks.graph.Mixing.Softmax;
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
import org.fleetgrad.networks.graph.Weighted.BatchNorm;
import org.fleetgrad.networks.graph.Weighted.Convolution;
import org.fleetgrad.networks.graph.Weighted.GroupNorm;
import org.fleetgrad.networks.graph.Weighted.LayerNorm;
import org.fleetgrad.networks.graph.Weighted.Linear;

/** Reads the operators of {@code network.json}: their names, and the fields of each. */
final class OperationJson {

    private static final Map<String, BiFunction<NodeFields, Integer, Operation>> READERS = readers();

    private OperationJson() {}

    /**
     * Reads an operator.
     *
     * @param index of its node: masks of dropouts are drawn by it
     * @throws IllegalArgumentException if there is no such operator, with the list; or if a field is missing, unknown or wrong
     */
    static Operation read(NodeFields fields, int index) {
        String name = fields.text("op");
        BiFunction<NodeFields, Integer, Operation> reader = READERS.get(name);
        if (reader == null) {
            throw new IllegalArgumentException("there is no operator '%s'; the operators are %s"
                    .formatted(Printable.text(name), String.join(", ", READERS.keySet())));
        }
        Operation operation = reader.apply(fields, index);
        fields.requireNoOthers();
        return operation;
    }

    private static Map<String, BiFunction<NodeFields, Integer, Operation>> readers() {
        Map<String, BiFunction<NodeFields, Integer, Operation>> readers = new TreeMap<>();
        weighted(readers);
        elementwise(readers);
        pooling(readers);
        reshaping(readers);
        readers.put("matmul", (fields, index) -> new MatMul());
        readers.put("softmax", (fields, index) -> new Softmax(fields.number("dim", 0), false));
        readers.put("log_softmax", (fields, index) -> new Softmax(fields.number("dim", 0), true));
        readers.put(
                "attention",
                (fields, index) -> new Attention(
                        "attention." + index,
                        fields.real("scale"),
                        fields.isSet("causal"),
                        fields.probability("dropout")));
        return readers;
    }

    private static void weighted(Map<String, BiFunction<NodeFields, Integer, Operation>> readers) {
        readers.put(
                "conv",
                (fields, index) -> new Convolution(
                        fields.tensor("weight"),
                        fields.optionalTensor("bias"),
                        fields.numbers("stride", 1),
                        fields.numbers("padding", 0),
                        fields.numbers("dilation", 1),
                        fields.number("groups", 1)));
        readers.put("linear", (fields, index) -> new Linear(fields.tensor("weight"), fields.optionalTensor("bias")));
        readers.put("batch_norm", (fields, index) -> {
            double momentum = fields.real("momentum");
            if (!(momentum > 0 && momentum <= 1)) {
                throw new IllegalArgumentException("its momentum is above 0 and at most 1; it is " + momentum);
            }
            return new BatchNorm(
                    fields.tensor("weight"),
                    fields.tensor("bias"),
                    fields.tensor("mean"),
                    fields.tensor("variance"),
                    (float) momentum,
                    fields.real("epsilon"));
        });
        readers.put(
                "layer_norm",
                (fields, index) -> new LayerNorm(
                        fields.optionalTensor("weight"),
                        fields.optionalTensor("bias"),
                        fields.number("width", 1),
                        fields.real("epsilon")));
        readers.put(
                "group_norm",
                (fields, index) -> new GroupNorm(
                        fields.tensor("weight"),
                        fields.tensor("bias"),
                        fields.number("groups", 1),
                        fields.real("epsilon")));
    }

    private static void elementwise(Map<String, BiFunction<NodeFields, Integer, Operation>> readers) {
        for (Elementwise.Function function : Elementwise.Function.values()) {
            readers.put(label(function), (fields, index) -> new Unary(function));
        }
        for (Elementwise.Kind kind : Elementwise.Kind.values()) {
            readers.put(label(kind), (fields, index) -> new Arithmetic(kind, fields.optionalReal("scalar")));
        }
        readers.put("clamp", (fields, index) -> new Clamp(fields.optionalReal("least"), fields.optionalReal("most")));
        readers.put("leaky_relu", (fields, index) -> new LeakyRelu(fields.real("scalar")));
        readers.put("elu", (fields, index) -> new Elu(fields.real("scalar")));
        readers.put("dropout", (fields, index) -> {
            String of = fields.text("of");
            for (Dropped dropped : Dropped.values()) {
                if (label(dropped).equals(of)) {
                    return new Dropout("dropout." + index, fields.probability("p"), dropped);
                }
            }
            throw new IllegalArgumentException(
                    "'of' must be values, channels or samples; it is '%s'".formatted(Printable.text(of)));
        });
    }

    private static void pooling(Map<String, BiFunction<NodeFields, Integer, Operation>> readers) {
        readers.put(
                "max_pool",
                (fields, index) -> new Window(
                        false,
                        fields.numbers("kernel", 1),
                        fields.numbers("stride", 1),
                        fields.numbers("padding", 0),
                        fields.isSet("ceil"),
                        false));
        readers.put(
                "avg_pool",
                (fields, index) -> new Window(
                        true,
                        fields.numbers("kernel", 1),
                        fields.numbers("stride", 1),
                        fields.numbers("padding", 0),
                        fields.isSet("ceil"),
                        fields.isSet("counts_padding")));
        readers.put("adaptive_avg_pool", (fields, index) -> new Adaptive(true, fields.numbers("size", 1)));
        readers.put("adaptive_max_pool", (fields, index) -> new Adaptive(false, fields.numbers("size", 1)));
        for (Pooling.Kind kind : Pooling.Kind.values()) {
            readers.put(
                    label(kind),
                    (fields, index) -> new Reduction(kind, fields.numbers("dims", 0), fields.isSet("keep")));
        }
    }

    private static void reshaping(Map<String, BiFunction<NodeFields, Integer, Operation>> readers) {
        readers.put("reshape", (fields, index) -> new Reshape(fields.sizes("sizes")));
        readers.put("expand", (fields, index) -> new Expand(fields.sizes("sizes")));
        readers.put("permute", (fields, index) -> new Permute(fields.numbers("dims", 0)));
        readers.put("cat", (fields, index) -> new Cat(fields.number("dim", 0)));
        readers.put("pad", (fields, index) -> new Pad(fields.numbers("padding", 0), fields.real("scalar")));
        readers.put(
                "slice",
                (fields, index) -> new Slice(
                        fields.number("dim", 0),
                        fields.number("start", 0),
                        fields.number("end", 1),
                        fields.number("step", 1)));
        readers.put("rows", (fields, index) -> new Rows(fields.table()));
        readers.put("constant", (fields, index) -> {
            List<Long> shape =
                    fields.numbers("shape", 1).stream().map(Integer::longValue).toList();
            return new Constant(shape, fields.table());
        });
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

package org.fleetgrad.onnx.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * A graph of ONNX while it is built. A value is known by its name: of an input, of a tensor, or of a node's output. Not thread-safe.
 */
public final class OnnxGraph {

    /** The domain of the operators for tables. */
    public static final String TABLES = "ai.onnx.ml";

    private static final int INPUT = 1;
    private static final int OUTPUT = 2;
    private static final int NAME = 3;
    private static final int TYPE = 4;
    private static final int ATTRIBUTE = 5;
    private static final int DOMAIN = 7;

    private final TensorSet parameters;
    private final List<ProtobufMessage> nodes = new ArrayList<>();
    private final Map<String, Initializer> initializers = new LinkedHashMap<>();
    private final Map<Object, String> constants = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final List<ValueInfo> inputs = new ArrayList<>();
    private final List<ValueInfo> outputs = new ArrayList<>();

    /** Makes a graph without nodes, of a network with these parameters. */
    public OnnxGraph(TensorSet parameters) {
        this.parameters = parameters;
    }

    /** Adds an input and returns its value. The inputs come before everything else, since they keep their names. */
    public String input(ValueInfo input) {
        inputs.add(input);
        if (!taken.add(input.name())) {
            throw new IllegalStateException("two inputs are called '%s'".formatted(input.name()));
        }
        return input.name();
    }

    /** Makes a value an output of the model, whose name gets underscores if it is taken. */
    public void output(String value, ValueInfo output) {
        String name = fresh(output.name());
        node("Identity", "", Attributes.none(), List.of(value), name);
        outputs.add(new ValueInfo(name, output.type(), output.shape(), output.description()));
    }

    /** Adds a node with one output and returns its value. */
    public String add(String type, Attributes attributes, String... operands) {
        return add(type, "", attributes, operands);
    }

    /** Adds a node of the operators for tables. */
    public String addOfTables(String type, Attributes attributes, String... operands) {
        return add(type, TABLES, attributes, operands);
    }

    /** Adds a node of which only one output is read, the one at {@code place}; earlier ones are left out. */
    public String addForOutput(int place, String type, Attributes attributes, String... operands) {
        String[] names = new String[place + 1];
        Arrays.fill(names, "");
        names[place] = fresh(type + "_" + nodes.size());
        node(type, "", attributes, List.of(operands), names);
        return names[place];
    }

    private String add(String type, String domain, Attributes attributes, String... operands) {
        String output = fresh(type + "_" + nodes.size());
        node(type, domain, attributes, List.of(operands), output);
        return output;
    }

    private void node(String type, String domain, Attributes attributes, List<String> operands, String... names) {
        ProtobufMessage node = new ProtobufMessage();
        operands.forEach(operand -> node.text(INPUT, operand));
        for (String name : names) {
            node.text(OUTPUT, name);
        }
        node.text(NAME, "node_" + nodes.size()).text(TYPE, type);
        attributes.messages().forEach(attribute -> node.message(ATTRIBUTE, attribute));
        nodes.add(domain.isEmpty() ? node : node.text(DOMAIN, domain));
    }

    private String fresh(String wanted) {
        String name = wanted;
        while (!taken.add(name)) {
            name += "_";
        }
        return name;
    }

    /**
     * Returns the value of a parameter or of a state, under its own name.
     *
     * @throws IllegalStateException if the network has no such tensor
     */
    public String tensor(String name) {
        TensorSpec spec = spec(name);
        return tensor(name, spec.shape(), List.of(bytes(name)));
    }

    /**
     * Returns the value of a tensor that consists of rows of others.
     *
     * @param name  in the file
     * @param shape of all of them together
     * @param parts the rows, in their order
     */
    public String tensor(String name, List<Long> shape, List<ByteBuffer> parts) {
        return constants.computeIfAbsent(List.of("tensor", name), unused -> {
            String fresh = fresh(name);
            initializers.put(fresh, new Initializer(fresh, ElementType.FLOAT32, shape, parts));
            return fresh;
        });
    }

    /** Returns the shape of a parameter or of a state. */
    public List<Long> shape(String name) {
        return spec(name).shape();
    }

    /** Returns the bytes of a parameter or of a state, without a copy. */
    public ByteBuffer bytes(String name) {
        return parameters.bytes(name).orElseThrow(() -> new IllegalStateException("no tensor " + name));
    }

    private TensorSpec spec(String name) {
        int index = parameters.layout().indexOf(name).orElseThrow(() -> new IllegalStateException("no tensor " + name));
        return parameters.layout().specs().get(index);
    }

    /** Returns the value of one constant number. */
    public String constant(double number) {
        return floats(List.of(), (float) number);
    }

    /** Returns the value of constant float32. */
    public String floats(List<Long> shape, float... values) {
        ByteBuffer bytes = bytes(values.length * Float.BYTES);
        bytes.asFloatBuffer().put(values);
        return constant(ElementType.FLOAT32, shape, bytes);
    }

    /** Returns the value of constant float64. */
    public String doubles(List<Long> shape, double... values) {
        ByteBuffer bytes = bytes(values.length * Double.BYTES);
        bytes.asDoubleBuffer().put(values);
        return constant(ElementType.FLOAT64, shape, bytes);
    }

    /** Returns the value of a constant list of whole numbers, such as a shape. */
    public String integers(long... values) {
        return integers(List.of((long) values.length), values);
    }

    /** Returns the value of one constant whole number. */
    public String integer(long value) {
        return integers(List.of(), value);
    }

    private String integers(List<Long> shape, long... values) {
        ByteBuffer bytes = bytes(values.length * Long.BYTES);
        bytes.asLongBuffer().put(values);
        return constant(ElementType.INT64, shape, bytes);
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    }

    private String constant(ElementType type, List<Long> shape, ByteBuffer bytes) {
        return constants.computeIfAbsent(List.of(type, shape, bytes), unused -> {
            String fresh = fresh("constant_" + constants.size());
            initializers.put(fresh, new Initializer(fresh, type, shape, List.of(bytes)));
            return fresh;
        });
    }

    /**
     * Returns the model, complete.
     *
     * @param description for people
     * @param metadata    for programs
     */
    public OnnxModel model(String description, Map<String, String> metadata) {
        return new OnnxModel(nodes, initializers.values(), inputs, outputs, description, metadata);
    }
}

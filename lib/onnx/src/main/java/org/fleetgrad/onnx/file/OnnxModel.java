package org.fleetgrad.onnx.file;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A model in ONNX's format, a protobuf message (onnx.proto, IR version 8). The parameters stay where they are and are streamed into the
 * file. Immutable.
 */
public final class OnnxModel {

    /** The version of ONNX's operators. */
    public static final int OPSET = 17;

    /** A protobuf message has less than 2 GiB. */
    public static final long MOST_BYTES = Integer.MAX_VALUE;

    private static final int OPSET_OF_TABLES = 3;
    private static final int IR = 8;

    private static final int IR_VERSION = 1;
    private static final int PRODUCER_NAME = 2;
    private static final int DOC_STRING = 6;
    private static final int GRAPH = 7;
    private static final int OPSET_IMPORT = 8;
    private static final int METADATA = 14;

    private static final int OPSET_DOMAIN = 1;
    private static final int OPSET_VERSION = 2;
    private static final int KEY = 1;
    private static final int VALUE = 2;

    private static final int NODE = 1;
    private static final int GRAPH_NAME = 2;
    private static final int INITIALIZER = 5;
    private static final int INPUT = 11;
    private static final int OUTPUT = 12;

    private final List<ValueInfo> inputs;
    private final List<ValueInfo> outputs;
    private final List<Initializer> initializers;
    private final byte[] head;
    private final byte[] nodes;

    OnnxModel(
            List<ProtobufMessage> nodes,
            Collection<Initializer> initializers,
            List<ValueInfo> inputs,
            List<ValueInfo> outputs,
            String description,
            Map<String, String> metadata) {
        this.inputs = List.copyOf(inputs);
        this.outputs = List.copyOf(outputs);
        this.initializers = List.copyOf(initializers);
        this.head = head(description, metadata);
        ProtobufMessage graph = new ProtobufMessage().text(GRAPH_NAME, "fleetgrad");
        nodes.forEach(node -> graph.message(NODE, node));
        inputs.forEach(input -> graph.message(INPUT, input.message()));
        outputs.forEach(output -> graph.message(OUTPUT, output.message()));
        this.nodes = graph.encode();
    }

    private static byte[] head(String description, Map<String, String> metadata) {
        ProtobufMessage head = new ProtobufMessage()
                .integer(IR_VERSION, IR)
                .text(PRODUCER_NAME, "fleetgrad")
                .text(DOC_STRING, description)
                .message(
                        OPSET_IMPORT,
                        new ProtobufMessage().text(OPSET_DOMAIN, "").integer(OPSET_VERSION, OPSET))
                .message(
                        OPSET_IMPORT,
                        new ProtobufMessage()
                                .text(OPSET_DOMAIN, OnnxGraph.TABLES)
                                .integer(OPSET_VERSION, OPSET_OF_TABLES));
        // Sorted: the same model gives the same bytes.
        new TreeMap<>(metadata)
                .forEach((key, value) -> head.message(
                        METADATA, new ProtobufMessage().text(KEY, key).text(VALUE, value)));
        return head.encode();
    }

    /** Returns what it takes. */
    public List<ValueInfo> inputs() {
        return inputs;
    }

    /** Returns what it answers. */
    public List<ValueInfo> outputs() {
        return outputs;
    }

    /** Returns the bytes of the file. */
    public long byteLength() {
        return head.length + Initializer.lengthDelimited(GRAPH, graphBytes());
    }

    private long graphBytes() {
        long bytes = nodes.length;
        for (Initializer initializer : initializers) {
            bytes += Initializer.lengthDelimited(INITIALIZER, initializer.byteLength());
        }
        return bytes;
    }

    /**
     * Checks that the format can hold the model.
     *
     * @throws IllegalArgumentException if it has too many bytes; the message has the numbers
     */
    public void requireSize() {
        if (byteLength() > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "the model has %,d bytes as ONNX; a file of ONNX has at most %,d: export it as safetensors"
                            .formatted(byteLength(), MOST_BYTES));
        }
    }

    /**
     * Writes the file.
     *
     * @throws IllegalArgumentException as {@link #requireSize} does, before anything is written
     */
    public void writeTo(OutputStream target) throws IOException {
        requireSize();
        CodedOutputStream out = CodedOutputStream.newInstance(target);
        out.writeRawBytes(head);
        out.writeTag(GRAPH, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt64NoTag(graphBytes());
        out.writeRawBytes(nodes);
        for (Initializer initializer : initializers) {
            out.writeTag(INITIALIZER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt64NoTag(initializer.byteLength());
            initializer.writeTo(out);
        }
        out.flush();
    }
}

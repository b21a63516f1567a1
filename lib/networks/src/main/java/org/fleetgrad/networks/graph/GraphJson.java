package org.fleetgrad.networks.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.files.text.Printable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads graphs as {@code python/fleetgrad_export.py} writes them: the JSON of {@code network.json}, or the same packed into an argument of
 * a network's name, with relative {@link References}.
 */
public final class GraphJson {

    /** Most bytes of the JSON. */
    public static final int MOST_BYTES = PackedJson.MOST_BYTES;

    private static final int FORMAT = 1;
    private static final int MOST_TENSORS = 1 << 14;
    private static final int LONGEST_NAME = 512;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private GraphJson() {}

    /**
     * Unpacks a graph.
     *
     * @param packed what a network's name has
     * @param input  shape of a sample
     * @throws IllegalArgumentException if it is damaged, too large, or no graph; the message has the node and the rule
     */
    public static Graph unpack(String packed, List<Integer> input) {
        byte[] json;
        try {
            json = PackedJson.unpack(packed);
        } catch (IllegalArgumentException damaged) {
            throw new IllegalArgumentException("the graph is damaged: " + damaged.getMessage(), damaged);
        }
        return read(json, input, true);
    }

    /**
     * Reads a graph.
     *
     * @param json  of {@code network.json}
     * @param input shape of a sample
     * @throws IllegalArgumentException as {@link #unpack} does
     */
    public static Graph read(byte[] json, List<Integer> input) {
        return read(json, input, false);
    }

    private static Graph read(byte[] json, List<Integer> input, boolean isPacked) {
        JsonNode document = parse(json);
        int format = document.path("format").asInt(0);
        if (format != FORMAT) {
            throw new IllegalArgumentException(
                    "the graph has the format %d; this version reads %d".formatted(format, FORMAT));
        }
        Map<String, List<Long>> tensors = tensors(document.path("tensors"));
        List<Table> tables = tables(document.path("tables"));
        References references = isPacked ? References.relative(List.copyOf(tensors.keySet())) : References.plain();
        JsonNode list = document.path("nodes");
        if (!list.isArray() || list.size() > Graph.MOST_NODES) {
            throw new IllegalArgumentException(
                    "'nodes' must be a list of at most %,d; it has %,d".formatted(Graph.MOST_NODES, list.size()));
        }
        List<Node> nodes = new ArrayList<>();
        for (JsonNode each : list) {
            int index = nodes.size() + 1;
            try {
                NodeFields fields = new NodeFields(each, index, references, tables);
                nodes.add(new Node(OperationJson.read(fields, index), fields.operands()));
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException("node %d: %s".formatted(index, wrong.getMessage()), wrong);
            }
        }
        return new Graph(input.stream().map(Integer::longValue).toList(), tensors, nodes);
    }

    private static JsonNode parse(byte[] json) {
        if (json.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "a graph has at most %,d bytes of JSON; this has more".formatted(MOST_BYTES));
        }
        try {
            JsonNode document = MAPPER.readTree(json);
            if (document.isObject()) {
                return document;
            }
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "the graph is not JSON: " + Printable.text(malformed.getOriginalMessage()), malformed);
        }
        throw new IllegalArgumentException("the graph is not a JSON object");
    }

    private static List<Table> tables(JsonNode document) {
        if (!document.isArray() || document.size() > Graph.MOST_NODES) {
            throw new IllegalArgumentException(
                    "'tables' must be a list of at most %,d; it has %,d".formatted(Graph.MOST_NODES, document.size()));
        }
        List<Table> tables = new ArrayList<>();
        for (JsonNode each : document) {
            boolean isTable = each.isArray() && each.size() <= Table.MOST_NUMBERS;
            float[] numbers = new float[isTable ? each.size() : 0];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = (float) each.get(i).asDouble(Double.NaN);
                isTable &= each.get(i).isNumber() && Float.isFinite(numbers[i]);
            }
            if (!isTable) {
                throw new IllegalArgumentException("the table %d must be a list of at most %,d finite numbers"
                        .formatted(tables.size(), Table.MOST_NUMBERS));
            }
            tables.add(new Table(numbers));
        }
        return tables;
    }

    private static Map<String, List<Long>> tensors(JsonNode document) {
        if (!document.isObject() || document.size() > MOST_TENSORS) {
            throw new IllegalArgumentException(
                    "'tensors' must be an object of at most %,d; it has %,d".formatted(MOST_TENSORS, document.size()));
        }
        Map<String, List<Long>> tensors = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> tensor : document.properties()) {
            String name = tensor.getKey();
            JsonNode shape = tensor.getValue();
            boolean isShape = shape.isArray() && shape.size() <= OperandShapes.MOST_DIMENSIONS;
            List<Long> sides = new ArrayList<>();
            for (JsonNode side : isShape ? shape : MAPPER.createArrayNode()) {
                isShape &= side.isInt() && side.asInt() >= 1;
                sides.add(side.asLong(0));
            }
            if (!isShape || name.isEmpty() || name.length() > LONGEST_NAME) {
                throw new IllegalArgumentException(
                        "the tensor '%s' needs a name of 1 to %d characters, and a shape of at most %d sides of 1 or more"
                                .formatted(Printable.text(name), LONGEST_NAME, OperandShapes.MOST_DIMENSIONS));
            }
            tensors.put(name, sides);
        }
        return tensors;
    }
}

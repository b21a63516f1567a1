package org.fleetgrad.datasets.json;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads required fields from a JSON object. Throws {@link IllegalArgumentException} with field and value if a field is
 * missing or has another type. Ignores unknown fields.
 */
public final class JsonFields {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final int SHOWN_CHARACTERS = 80;

    private final JsonNode node;
    private final String path;

    private JsonFields(JsonNode node, String path) {
        this.node = node;
        this.path = path;
    }

    /** Parses a JSON object; no field of it may occur twice. */
    public static JsonFields parse(byte[] json) {
        try {
            JsonNode node = MAPPER.readTree(json);
            if (!node.isObject()) {
                throw new IllegalArgumentException("not a JSON object");
            }
            return new JsonFields(node, "");
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException("not JSON: " + malformed.getOriginalMessage(), malformed);
        }
    }

    /** Makes an empty object. */
    public static ObjectNode newObject() {
        return MAPPER.createObjectNode();
    }

    /** Writes fixed line endings, so that the bytes do not depend on the platform. */
    public static byte[] write(ObjectNode object) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
        return MAPPER.writer().with(printer).writeValueAsBytes(object);
    }

    /** Returns whether there is such a field. */
    public boolean has(String field) {
        return node.has(field);
    }

    /** Returns a string. */
    public String text(String field) {
        return required(field, "a string", JsonNode::isString).stringValue();
    }

    /** Returns a whole number of 32 bits. */
    public int integer(String field) {
        return required(field, "a whole number", JsonFields::isInt).intValue();
    }

    /** Returns a whole number of 64 bits. */
    public long longInteger(String field) {
        return required(field, "a whole number", value -> value.isIntegralNumber() && value.canConvertToLong())
                .longValue();
    }

    /** Returns a finite number. */
    public double number(String field) {
        return required(field, "a finite number", value -> value.isNumber() && Double.isFinite(value.doubleValue()))
                .doubleValue();
    }

    /** Returns true or false. */
    public boolean flag(String field) {
        return required(field, "true or false", JsonNode::isBoolean).booleanValue();
    }

    /** Returns an object. */
    public JsonFields object(String field) {
        return new JsonFields(required(field, "an object", JsonNode::isObject), path + field + ".");
    }

    /** Returns the objects of an array. */
    public List<JsonFields> objects(String field) {
        List<JsonFields> objects = new ArrayList<>();
        for (JsonNode element : elements(field, "an array of objects", JsonNode::isObject)) {
            objects.add(new JsonFields(element, "%s%s[%d].".formatted(path, field, objects.size())));
        }
        return objects;
    }

    /** Returns the strings of an array. */
    public List<String> texts(String field) {
        return elements(field, "an array of strings", JsonNode::isString).stream()
                .map(JsonNode::stringValue)
                .toList();
    }

    /** Returns the whole numbers of an array. */
    public List<Integer> integers(String field) {
        return elements(field, "an array of whole numbers", JsonFields::isInt).stream()
                .map(JsonNode::intValue)
                .toList();
    }

    /** Returns the numbers of an array. */
    public List<Float> floats(String field) {
        return elements(field, "an array of numbers", JsonNode::isNumber).stream()
                .map(element -> (float) element.doubleValue())
                .toList();
    }

    private List<JsonNode> elements(String field, String expected, Predicate<JsonNode> isExpected) {
        JsonNode array = required(
                field, expected, value -> value.isArray() && value.valueStream().allMatch(isExpected));
        return array.valueStream().toList();
    }

    private JsonNode required(String field, String expected, Predicate<JsonNode> isExpected) {
        JsonNode value = node.get(field);
        if (value == null) {
            throw new IllegalArgumentException("'%s%s' is missing; it must be %s".formatted(path, field, expected));
        }
        if (!isExpected.test(value)) {
            String shown = value.toString();
            throw new IllegalArgumentException("'%s%s' must be %s; it is %s"
                    .formatted(
                            path,
                            field,
                            expected,
                            shown.length() > SHOWN_CHARACTERS ? shown.substring(0, SHOWN_CHARACTERS) + "…" : shown));
        }
        return value;
    }

    private static boolean isInt(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToInt();
    }
}

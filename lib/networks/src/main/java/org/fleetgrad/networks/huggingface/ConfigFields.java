package org.fleetgrad.networks.huggingface;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.Predicate;
import org.fleetgrad.files.text.Printable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The keys of a {@code config.json}. A wrong value is refused with its key; keys that nobody asks for are ignored, since
 * configurations have many that say nothing of the network.
 */
final class ConfigFields {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final int SHOWN_CHARACTERS = 80;

    private final JsonNode json;

    private ConfigFields(JsonNode json) {
        this.json = json;
    }

    /**
     * Parses a file.
     *
     * @throws IllegalArgumentException if it is longer than {@code mostBytes}, or not a JSON object
     */
    static ConfigFields parse(byte[] file, int mostBytes) {
        if (file.length > mostBytes) {
            throw new IllegalArgumentException("it is longer than %d bytes".formatted(mostBytes));
        }
        JsonNode json;
        try {
            json = MAPPER.readTree(file);
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "it is not JSON: " + Printable.text(malformed.getOriginalMessage()), malformed);
        }
        if (!json.isObject()) {
            throw new IllegalArgumentException("it is not a JSON object");
        }
        return new ConfigFields(json);
    }

    static ObjectNode newObject() {
        return MAPPER.createObjectNode();
    }

    /** Writes fixed line endings, so that the bytes do not depend on the platform. */
    static byte[] write(ObjectNode object) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
        return MAPPER.writer().with(printer).writeValueAsBytes(object);
    }

    boolean has(String key) {
        return json.has(key);
    }

    /** Returns a whole number from 1. */
    int size(String key) {
        return required(
                        key,
                        "a whole number from 1",
                        value -> value.isIntegralNumber() && value.canConvertToInt() && value.intValue() > 0)
                .intValue();
    }

    /** Returns a number, or another if the key is missing. */
    double number(String key, double other) {
        return json.has(key) ? required(key, "a number", JsonNode::isNumber).doubleValue() : other;
    }

    /** Returns true or false, or another if the key is missing. */
    boolean truth(String key, boolean other) {
        return json.has(key)
                ? required(key, "true or false", JsonNode::isBoolean).booleanValue()
                : other;
    }

    /**
     * Returns the one probability of dropout that several keys state; a missing key has {@code usual}.
     *
     * @throws IllegalArgumentException if they differ, or if it is none
     */
    String dropout(List<String> keys, double usual) {
        List<Double> each = keys.stream().map(key -> number(key, usual)).toList();
        if (each.stream().distinct().count() > 1) {
            throw new IllegalArgumentException(
                    "%s must be the same; they are %s".formatted(String.join(", ", keys), each));
        }
        double dropout = each.get(0);
        if (!(dropout >= 0 && dropout < 1)) {
            throw new IllegalArgumentException(
                    "'%s' must be from 0 to below 1; it is %s".formatted(keys.get(0), dropout));
        }
        BigDecimal decimal = BigDecimal.valueOf(dropout).stripTrailingZeros();
        return decimal.signum() == 0 ? "0" : decimal.toPlainString();
    }

    /** Checks that the configuration is of one of these classes of transformers, if it says. */
    void requireArchitecture(List<String> classes) {
        require(
                "architectures",
                "one of [\"%s\"]".formatted(String.join("\"], [\"", classes)),
                value -> value.isNull() || (value.size() == 1 && isText(value.path(0), classes)));
    }

    /** Checks that a key is true, or false. */
    void requireTruth(String key, boolean expected) {
        require(key, Boolean.toString(expected), value -> value.isBoolean() && value.booleanValue() == expected);
    }

    static boolean isText(JsonNode value, List<String> texts) {
        return value.isString() && texts.contains(value.stringValue());
    }

    /** Checks the value of a key; one that is missing has the default, which is what is expected. */
    void require(String key, String expected, Predicate<JsonNode> isExpected) {
        if (json.has(key)) {
            required(key, expected, isExpected);
        }
    }

    /** Returns the value of a key that must not be missing. */
    JsonNode required(String key, String expected, Predicate<JsonNode> isExpected) {
        JsonNode value = json.get(key);
        if (value == null) {
            throw new IllegalArgumentException("'%s' must be %s; it is missing".formatted(key, expected));
        }
        if (!isExpected.test(value)) {
            throw new IllegalArgumentException("'%s' must be %s; it is %s".formatted(key, expected, shown(value)));
        }
        return value;
    }

    private static String shown(JsonNode value) {
        String text = value.toString();
        return Printable.text(text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "…" : text);
    }
}

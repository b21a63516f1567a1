package org.fleetgrad.openwhisk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.fleetgrad.openwhisk.Wire.WhiskResponse;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the members of a JSON object in a response. Throws with the member's name, its value and the rule if one is
 * invalid.
 */
final class Fields {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int SHOWN = 80;

    private final WhiskResponse answer;
    private final String path;
    private final JsonNode object;

    private Fields(WhiskResponse answer, String path, JsonNode object) {
        this.answer = answer;
        this.path = path;
        this.object = object;
    }

    private static JsonNode json(WhiskResponse answer) throws OpenWhiskException {
        try {
            JsonNode node = JSON.readTree(answer.body());
            if (!node.isMissingNode()) {
                return node;
            }
            throw OpenWhiskException.malformed(answer, "no body; it must be JSON");
        } catch (JacksonException notJson) {
            throw OpenWhiskException.malformed(
                    answer,
                    "%d bytes that are not JSON: %s".formatted(answer.body().length, cut(answer, answer.text())));
        }
    }

    /** Reads a response that must be an object. */
    static Fields of(WhiskResponse answer) throws OpenWhiskException {
        return new Fields(answer, "", object(answer, "", json(answer)));
    }

    private static JsonNode object(WhiskResponse answer, String path, JsonNode node) throws OpenWhiskException {
        if (!node.isObject()) {
            throw wrong(answer, path, node, "an object");
        }
        return node;
    }

    Fields object(String name) throws OpenWhiskException {
        return new Fields(answer, path + name + ".", object(answer, path + name, object.path(name)));
    }

    String text(String name) throws OpenWhiskException {
        return required(name, JsonNode::isString, "a string").stringValue();
    }

    Optional<String> optionalText(String name) throws OpenWhiskException {
        return isThere(name) ? Optional.of(text(name)) : Optional.empty();
    }

    boolean flag(String name) throws OpenWhiskException {
        return required(name, JsonNode::isBoolean, "true or false").booleanValue();
    }

    Optional<Boolean> optionalFlag(String name) throws OpenWhiskException {
        return isThere(name) ? Optional.of(flag(name)) : Optional.empty();
    }

    long count(String name) throws OpenWhiskException {
        JsonNode node = required(
                name,
                number -> number.isIntegralNumber() && number.canConvertToLong() && number.longValue() >= 0,
                "a whole number, 0 or more");
        return node.longValue();
    }

    OptionalLong optionalCount(String name) throws OpenWhiskException {
        return isThere(name) ? OptionalLong.of(count(name)) : OptionalLong.empty();
    }

    List<String> texts(String name) throws OpenWhiskException {
        List<String> texts = new ArrayList<>();
        for (JsonNode entry : required(name, JsonNode::isArray, "a list of strings")) {
            if (!entry.isString()) {
                throw wrong(answer, path + name, entry, "a list of strings");
            }
            texts.add(entry.stringValue());
        }
        return List.copyOf(texts);
    }

    /** Reads a list of {@code {"key", "value"}} pairs as an object. */
    Fields pairs(String name) throws OpenWhiskException {
        var members = JSON.createObjectNode();
        if (isThere(name)) {
            for (JsonNode pair : required(name, JsonNode::isArray, "a list of keys and values")) {
                if (!pair.path("key").isString()) {
                    throw wrong(answer, path + name, pair, "a list of keys and values");
                }
                members.set(pair.path("key").stringValue(), pair.path("value"));
            }
        }
        return new Fields(answer, path + name + ".", members);
    }

    /** Returns a member unchecked, or a missing node if it does not exist. */
    JsonNode node(String name) {
        return object.path(name);
    }

    boolean isThere(String name) {
        return !object.path(name).isMissingNode() && !object.path(name).isNull();
    }

    private JsonNode required(String name, Predicate<JsonNode> isRight, String expected) throws OpenWhiskException {
        JsonNode node = object.path(name);
        if (!isRight.test(node)) {
            throw wrong(answer, path + name, node, expected);
        }
        return node;
    }

    OpenWhiskException wrong(String name, String expected) {
        return wrong(answer, path + name, object.path(name), expected);
    }

    private static OpenWhiskException wrong(WhiskResponse answer, String path, JsonNode node, String expected) {
        String found = node.isMissingNode() ? "nothing" : cut(answer, node.toString());
        return OpenWhiskException.malformed(
                answer,
                path.isEmpty()
                        ? "%s; it must be %s".formatted(found, expected)
                        : "'%s' being %s; it must be %s".formatted(path, found, expected));
    }

    private static String cut(WhiskResponse answer, String text) {
        String shown = answer.shown(text.strip());
        return shown.length() <= SHOWN ? shown : shown.substring(0, SHOWN) + "…";
    }
}

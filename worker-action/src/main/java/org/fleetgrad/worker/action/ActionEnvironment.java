package org.fleetgrad.worker.action;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The environment variables of an activation: the container's, those that {@code /init} exports, and {@code __OW_*} of
 * the {@code /run}. A JVM cannot change its own environment, so the activation gets this one. Not thread-safe.
 */
final class ActionEnvironment {

    private static final String PREFIX = "__OW_";

    private final Map<String, String> container;
    private final Map<String, String> initial = new HashMap<>();
    private final Map<String, String> activation = new HashMap<>();

    ActionEnvironment(Map<String, String> container) {
        this.container = Map.copyOf(container);
    }

    /** Takes {@code value.env} of an {@code /init}: OpenWhisk passes the parameters there that are stored with {@code init}. */
    void initialize(JsonNode body) {
        put(body.path("value").path("env"), "", initial);
    }

    /** Takes the members beside {@code value} in a {@code /run}; those of the previous activation are dropped. */
    void begin(JsonNode body) {
        activation.clear();
        put(body, PREFIX, activation);
        activation.remove(PREFIX + "VALUE");
    }

    private static void put(JsonNode object, String prefix, Map<String, String> variables) {
        if (!object.isObject()) {
            return;
        }
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            JsonNode value = member.getValue();
            if (value.isValueNode() && !value.isNull()) {
                String name =
                        prefix.isEmpty() ? member.getKey() : member.getKey().toUpperCase(Locale.ROOT);
                variables.put(prefix + name, value.asString());
            }
        }
    }

    /** Returns all variables; a later one replaces an earlier one of the same name. */
    Map<String, String> variables() {
        Map<String, String> all = new HashMap<>(container);
        all.putAll(initial);
        all.putAll(activation);
        return all;
    }
}

package org.fleetgrad.openwhisk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An action to store, whose code is a container image. Immutable.
 *
 * @param name        {@code NAME} or {@code PACKAGE/NAME}, in the namespace of the key
 * @param image       {@code prefix/name:tag}. Invokers pull it before each cold start. If the pull fails, they use a
 *     local copy, but never one with the tag {@code latest} or without a tag
 * @param limits      the limits of an activation
 * @param parameters  the parameters of each activation
 * @param annotations notes about the action
 */
public record ActionDefinition(
        String name,
        String image,
        ActionLimits limits,
        List<ActionParameter> parameters,
        Map<String, Object> annotations) {

    public ActionDefinition {
        ActionName.require(name);
        ImageName.require(image);
        parameters = List.copyOf(parameters);
        annotations = Map.copyOf(annotations);
    }

    /** Makes a definition with name, image and limits only. */
    public static ActionDefinition of(String name, String image, ActionLimits limits) {
        return new ActionDefinition(name, image, limits, List.of(), Map.of());
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("exec", Map.of("kind", "blackbox", "image", image));
        json.put("parameters", parameters.stream().map(ActionParameter::json).toList());
        json.put(
                "limits",
                Map.of(
                        "timeout", limits.timeout().toMillis(),
                        "memory", limits.memoryMib(),
                        "logs", limits.logsMib()));
        json.put(
                "annotations",
                annotations.entrySet().stream()
                        .map(entry -> Map.of("key", entry.getKey(), "value", entry.getValue()))
                        .toList());
        return json;
    }
}

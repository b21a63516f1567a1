package org.fleetgrad.openwhisk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An action to store: a container image, which may be a runtime for code. Immutable.
 *
 * @param name        {@code NAME} or {@code PACKAGE/NAME}, in the namespace of the key
 * @param image       {@code prefix/name:tag}. Invokers pull it before each cold start. If the pull fails, they use a
 *     local copy, but never one with the tag {@code latest} or without a tag
 * @param code        code that the image runs; empty if the image is the complete action
 * @param limits      the limits of an activation
 * @param parameters  the parameters of each activation
 * @param annotations notes about the action
 */
public record ActionDefinition(
        String name,
        String image,
        Optional<ActionCode> code,
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
        return new ActionDefinition(name, image, Optional.empty(), limits, List.of(), Map.of());
    }

    /** Returns this definition with code for its image to run. */
    public ActionDefinition with(ActionCode other) {
        return new ActionDefinition(name, image, Optional.of(other), limits, parameters, annotations);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        Map<String, String> exec = new LinkedHashMap<>();
        exec.put("kind", "blackbox");
        exec.put("image", image);
        code.ifPresent(jar -> {
            exec.put("code", jar.base64());
            exec.put("main", jar.main());
        });
        json.put("exec", exec);
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

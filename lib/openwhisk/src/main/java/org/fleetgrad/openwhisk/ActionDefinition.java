package org.fleetgrad.openwhisk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.files.text.Printable;

/**
 * An action to store: a container image that has the action in it. Immutable.
 *
 * @param name        {@code NAME} or {@code PACKAGE/NAME}, of the key's own namespace
 * @param image       {@code prefix/name:tag}. Invokers pull it before each cold start; where that fails they use one that is
 *     there, but not under the tag {@code latest}, or none
 * @param limits      what an activation may use
 * @param parameters  what each activation is given
 * @param annotations what is said of the action
 */
public record ActionDefinition(
        String name,
        String image,
        ActionLimits limits,
        List<ActionParameter> parameters,
        Map<String, Object> annotations) {

    /** Checks the name and the image. */
    public ActionDefinition {
        ActionName.path(name);
        if (image.isBlank() || !image.equals(image.strip())) {
            throw new IllegalArgumentException(
                    "an image is like prefix/name:tag; this is '%s'".formatted(Printable.text(image)));
        }
        parameters = List.copyOf(parameters);
        annotations = Map.copyOf(annotations);
    }

    /** Says nothing but the name, the image and the limits. */
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

package org.fleetgrad.worker.javakind;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The environment of this process as the action sees it in {@link System#getenv()}. A JVM cannot change its environment, so the
 * map behind that method is changed: the JVM must be started with {@code --add-opens java.base/java.util=ALL-UNNAMED}. Apache
 * OpenWhisk's own Java runtime does the same. Not thread-safe.
 */
final class ProcessEnvironment {

    private static final String PREFIX = "__OW_";

    private final Set<String> ofTheRun = new HashSet<>();

    /** Puts the variables that {@code /init} exports. */
    void initialize(Map<String, String> variables) throws ReflectiveOperationException {
        if (!variables.isEmpty()) {
            behind().putAll(variables);
        }
    }

    /** Puts the members beside {@code value} in a {@code /run}; removes those of the previous run. */
    void begin(JsonObject request) throws ReflectiveOperationException {
        Map<String, String> variables = new HashMap<>();
        for (Map.Entry<String, JsonElement> member : request.entrySet()) {
            if (!member.getKey().equals("value") && member.getValue().isJsonPrimitive()) {
                variables.put(
                        PREFIX + member.getKey().toUpperCase(Locale.ROOT),
                        member.getValue().getAsString());
            }
        }
        Map<String, String> environment = behind();
        environment.keySet().removeAll(ofTheRun);
        environment.putAll(variables);
        ofTheRun.clear();
        ofTheRun.addAll(variables.keySet());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> behind() throws ReflectiveOperationException {
        Map<String, String> shown = System.getenv();
        Field field = shown.getClass().getDeclaredField("m");
        field.setAccessible(true);
        return (Map<String, String>) field.get(shown);
    }
}

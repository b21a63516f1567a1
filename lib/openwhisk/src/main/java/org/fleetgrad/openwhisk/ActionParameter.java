package org.fleetgrad.openwhisk;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A parameter that is stored with an action. Its value may be a key, and is never printed.
 *
 * @param key    its name
 * @param value  any value that becomes JSON
 * @param isInit true for an environment variable of the container, false for a member of each run's {@code value}
 */
public record ActionParameter(String key, Object value, boolean isInit) {

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("key", key);
        json.put("value", value);
        if (isInit) {
            json.put("init", true);
        }
        return json;
    }

    @Override
    public String toString() {
        return "ActionParameter[%s%s]".formatted(key, isInit ? ", init" : "");
    }
}

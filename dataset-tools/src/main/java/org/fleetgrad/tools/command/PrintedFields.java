package org.fleetgrad.tools.command;

import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of a JSON object in the order in which they are printed. */
final class PrintedFields {

    private PrintedFields() {}

    /** Takes names and values in turn. */
    static Map<String, Object> of(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }
}

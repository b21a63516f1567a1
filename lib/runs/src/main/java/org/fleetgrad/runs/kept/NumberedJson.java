package org.fleetgrad.runs.kept;

import org.fleetgrad.files.text.Printable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads files of JSON whose member {@code format} numbers their layout. */
public final class NumberedJson {

    private NumberedJson() {}

    /**
     * Reads a file.
     *
     * @param format the only layout that this build knows
     * @throws IllegalArgumentException if the bytes are not JSON, or of another layout; the message says what they are
     */
    public static JsonNode read(byte[] bytes, int format) {
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(bytes);
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException("not JSON: " + malformed.getOriginalMessage(), malformed);
        }
        JsonNode stated = json.path("format");
        if (!stated.isInt() || stated.asInt() != format) {
            throw new IllegalArgumentException(
                    "format %s; this build reads %d".formatted(Printable.text(stated.toString()), format));
        }
        return json;
    }

    /**
     * Returns a member that must be a text.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static String text(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (!value.isString()) {
            throw new IllegalArgumentException("'%s' must be a text".formatted(member));
        }
        return value.asString();
    }
}

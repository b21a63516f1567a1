package org.fleetgrad.serving.images;

import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/** What a JSON value is, in the words of a refusal: a client knows no names of a parser's constants. */
public enum JsonKind {
    /** A list. */
    AN_ARRAY,
    /** Members with names. */
    AN_OBJECT,
    /** A text. */
    A_STRING,
    /** A number. */
    A_NUMBER,
    /** True or false. */
    A_BOOLEAN,
    /** No value. */
    NULL;

    /** Names the value that begins with a token. */
    public static JsonKind of(JsonToken token) {
        return switch (token) {
            case START_ARRAY -> AN_ARRAY;
            case START_OBJECT -> AN_OBJECT;
            case VALUE_STRING -> A_STRING;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> A_NUMBER;
            case VALUE_TRUE, VALUE_FALSE -> A_BOOLEAN;
            case VALUE_NULL -> NULL;
            default -> throw new IllegalArgumentException("no value begins with " + token);
        };
    }

    /** Says where a body stops being JSON. */
    public static String notJson(JacksonException broken) {
        TokenStreamLocation place = broken.getLocation();
        return place == null
                ? "the body is not JSON"
                : "the body is not JSON: line %d, column %d"
                        .formatted(Math.max(1, place.getLineNr()), Math.max(1, place.getColumnNr()));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}

package org.fleetgrad.cli.serving;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.fleetgrad.runs.output.RunFailedException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The body of a prediction, and its media type, made of the content of a file. */
final class PredictionBody {

    private static final String JSON_TYPE = "application/json";
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};
    private static final byte[] JPEG = {(byte) 0xFF, (byte) 0xD8};
    /** A safetensors file begins with the length of its header, which begins with a brace. */
    private static final int BRACE_OF_SAFETENSORS = 8;

    /** Bodies that are whole have one of these members, and no other. */
    private static final Set<String> WHOLE =
            Set.of("image", "images", "row", "rows", "text", "texts", "input", "inputs");

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Asks the service for its status, if the content alone does not say what it is. */
    @FunctionalInterface
    interface Status {

        JsonNode ask() throws RunFailedException, InterruptedException;
    }

    private final String mediaType;
    private final byte[] bytes;

    private PredictionBody(String mediaType, byte[] bytes) {
        this.mediaType = mediaType;
        this.bytes = bytes;
    }

    /** Returns the type, as {@code POST /predict} takes it. */
    String mediaType() {
        return mediaType;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Makes the body of an image, a row, a series or a text. */
    static PredictionBody of(byte[] content, Status status) throws RunFailedException, InterruptedException {
        if (begins(content, PNG)) {
            return new PredictionBody("image/png", content);
        }
        if (begins(content, JPEG)) {
            return new PredictionBody("image/jpeg", content);
        }
        if (isSafetensors(content)) {
            return new PredictionBody("application/vnd.safetensors", content);
        }
        String text = text(content);
        try {
            JsonNode json = JSON.readTree(text);
            if (json.isObject() || (json.isArray() && !json.isEmpty())) {
                return json(json, status);
            }
        } catch (JacksonException noJson) {
            // Most texts are none.
        }
        return json(Map.of("text", text.strip()));
    }

    private static PredictionBody json(JsonNode json, Status status) throws RunFailedException, InterruptedException {
        if (json.isObject()) {
            boolean isWhole = json.size() == 1 && WHOLE.containsAll(json.propertyNames());
            return json(isWhole ? json : Map.of("row", json));
        }
        if (json.get(0).isObject()) {
            return json(Map.of("rows", json));
        }
        if (json.get(0).isString()) {
            return json(Map.of("texts", json));
        }
        boolean isSeries = status.ask().path("network").asString("").startsWith("series");
        return json(Map.of(isSeries ? "input" : "image", json));
    }

    private static PredictionBody json(Object body) {
        return new PredictionBody(JSON_TYPE, JSON.writeValueAsBytes(body));
    }

    private static boolean isSafetensors(byte[] content) {
        return content.length > BRACE_OF_SAFETENSORS
                && content[BRACE_OF_SAFETENSORS] == '{'
                && content[BRACE_OF_SAFETENSORS - 1] == 0;
    }

    private static boolean begins(byte[] content, byte[] with) {
        return content.length >= with.length
                && ByteBuffer.wrap(content, 0, with.length).equals(ByteBuffer.wrap(with));
    }

    private static String text(byte[] content) throws RunFailedException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw RunFailedException.input(
                    "the content is no PNG or JPEG file, no safetensors, and no text in UTF-8, so predict does not know what it is");
        }
    }
}

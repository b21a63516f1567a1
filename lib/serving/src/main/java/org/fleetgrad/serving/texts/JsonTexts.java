package org.fleetgrad.serving.texts;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.fleetgrad.serving.images.JsonKind;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads <code>{"text": "..."}</code> or <code>{"texts": ["...", ...]}</code> as samples of tokens. Thread-safe. */
public final class JsonTexts {

    private static final String EXPECTED = "the body must be {\"text\": \"...\"} or {\"texts\": [\"...\", ...]}; ";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final SampleEncoding encoding;
    private final int most;

    /**
     * Makes a reader.
     *
     * @param encoding how a text becomes a sample
     * @param most     maximum texts in one request
     */
    public JsonTexts(SampleEncoding encoding, int most) {
        this.encoding = encoding;
        this.most = most;
    }

    /**
     * Reads a body.
     *
     * @param memory of the request
     * @throws InvalidImagesException if the body is not texts that the tokenizer can encode, or there is no memory for them
     */
    public Images read(byte[] body, SampleMemory.Lease memory) {
        List<String> texts;
        try (JsonParser parser = JSON.createParser(body)) {
            texts = texts(parser);
            if (parser.nextToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
                throw malformed(EXPECTED + "it has more content after the texts");
            }
        } catch (JacksonException notJson) {
            throw new InvalidImagesException(Rule.MALFORMED, JsonKind.notJson(notJson), notJson);
        }
        return EncodedTexts.read(encoding, texts, memory);
    }

    private List<String> texts(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT || parser.nextToken() != JsonToken.PROPERTY_NAME) {
            throw malformed(EXPECTED + "it has neither");
        }
        String member = parser.currentName();
        JsonToken value = parser.nextToken();
        if (member.equals("text")) {
            return List.of(text(parser, 0));
        }
        if (!member.equals("texts")) {
            throw malformed(EXPECTED + "it has '%s'".formatted(member));
        }
        if (value != JsonToken.START_ARRAY) {
            throw malformed("'texts' must be an array; it is %s".formatted(JsonKind.of(value)));
        }
        List<String> texts = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (texts.size() == most) {
                throw new InvalidImagesException(
                        Rule.TOO_MANY, "the request has more texts than the limit of %d".formatted(most));
            }
            texts.add(text(parser, texts.size()));
        }
        if (texts.isEmpty()) {
            throw malformed("'texts' is empty");
        }
        return texts;
    }

    private static String text(JsonParser parser, int index) {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw malformed("text %d must be a string; it is %s".formatted(index, JsonKind.of(parser.currentToken())));
        }
        return parser.getString();
    }

    private static InvalidImagesException malformed(String message) {
        return new InvalidImagesException(Rule.MALFORMED, message);
    }
}

package org.fleetgrad.datasets.text;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.Task;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a {@code tokenizer.json} says of its tokens.
 *
 * @param vocabulary number of tokens: the largest number, and 1
 * @param special    numbers of the tokens that only mark something, by how they are written, in the order of the file
 */
record TokenizerJson(int vocabulary, Map<String, Integer> special) {

    /** A value within the file is read alone: what follows it is the rest of the file. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /**
     * Reads a file without holding its words: they are many.
     *
     * @throws IllegalArgumentException if it is not a tokenizer; the message completes a sentence whose subject is the file
     */
    static TokenizerJson read(byte[] file) {
        try (JsonParser parser = JSON.createParser(file)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("is not a tokenizer: it is not a JSON object");
            }
            long largest = -1;
            boolean hasModel = false;
            Map<String, Integer> special = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = parser.currentName();
                JsonToken value = parser.nextToken();
                if (key.equals("model") && value == JsonToken.START_OBJECT) {
                    hasModel = true;
                    largest = Math.max(largest, largestOfModel(parser));
                } else if (key.equals("added_tokens") && value == JsonToken.START_ARRAY) {
                    largest = Math.max(largest, added(JSON.readTree(parser), special));
                } else {
                    parser.skipChildren();
                }
            }
            if (!hasModel || largest < 0) {
                throw new IllegalArgumentException("is not a tokenizer: it has no 'model' with a 'vocab'");
            }
            if (largest >= Task.MOST_TOKENS) {
                throw new IllegalArgumentException("has a token %d; a vocabulary has the tokens 0 to %d at most"
                        .formatted(largest, Task.MOST_TOKENS - 1));
            }
            return new TokenizerJson((int) largest + 1, special);
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "is not a tokenizer: it is not JSON: " + Printable.text(malformed.getOriginalMessage()), malformed);
        }
    }

    private static long largestOfModel(JsonParser parser) {
        long largest = -1;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean isVocabulary = parser.currentName().equals("vocab");
            JsonToken value = parser.nextToken();
            if (isVocabulary && value == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    parser.nextToken();
                    largest = Math.max(largest, parser.getLongValue());
                }
            } else if (isVocabulary && value == JsonToken.START_ARRAY) {
                // Of a unigram model: words in the order of their numbers.
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    parser.skipChildren();
                    largest++;
                }
            } else {
                parser.skipChildren();
            }
        }
        return largest;
    }

    private static long added(JsonNode tokens, Map<String, Integer> special) {
        long largest = -1;
        for (JsonNode token : tokens) {
            long id = token.path("id").asLong(-1);
            largest = Math.max(largest, id);
            if (token.path("special").asBoolean(false) && id >= 0 && id < Task.MOST_TOKENS) {
                special.put(token.path("content").asString(""), (int) id);
            }
        }
        return largest;
    }
}

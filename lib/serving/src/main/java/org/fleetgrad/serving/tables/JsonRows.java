package org.fleetgrad.serving.tables;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.RowEncoder;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.fleetgrad.serving.images.JsonKind;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads <code>{"row": {"carat": 0.4, ...}}</code> or <code>{"rows": [{...}, ...]}</code>: rows of a table by the names of their columns.
 * A body is read twice as a stream of tokens: its rows are counted before memory is allocated for them, and only their numbers take
 * memory. Thread-safe.
 */
public final class JsonRows {

    private static final String EXPECTED =
            "the body must be {\"row\": {\"COLUMN\": VALUE, ...}} or {\"rows\": [{...}, ...]}; ";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final JsonMapper COUNTING = JsonMapper.builder().build();

    private final TableSchema schema;
    private final RowEncoder encoder;
    private final int most;

    /**
     * Makes a reader.
     *
     * @param most maximum rows in one request
     */
    public JsonRows(TableSchema schema, int most) {
        this.schema = schema;
        this.encoder = new RowEncoder(schema);
        this.most = most;
    }

    /** Reads one row: the parser is at its opening brace, and then at its closing one. */
    @FunctionalInterface
    private interface RowReader {

        void read(int index, JsonParser parser);
    }

    /**
     * Reads a body.
     *
     * @param memory of the request
     * @throws InvalidImagesException if the body is not rows of the table, or there is no memory for them
     */
    public Images read(byte[] body, SampleMemory.Lease memory) {
        int count = walk(COUNTING, body, (index, parser) -> parser.skipChildren());
        if (count == 0) {
            throw malformed("'rows' is empty");
        }
        if (count > most) {
            throw new InvalidImagesException(
                    Rule.TOO_MANY, "the request has %d rows; the limit is %d".formatted(count, most));
        }
        int width = schema.width();
        float[] values = memory.floats(count, width);
        List<UnknownCategory> unknown = new ArrayList<>();
        int read = walk(JSON, body, (index, parser) -> encode(index, parser, values, index * width, unknown));
        if (read != count) {
            throw new IllegalStateException("%d rows were counted, and %d read".formatted(count, read));
        }
        return Images.ofRows(schema, values, unknown);
    }

    /** Reads each row and returns their number. */
    private static int walk(JsonMapper json, byte[] body, RowReader each) {
        try (JsonParser parser = json.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT || parser.nextToken() != JsonToken.PROPERTY_NAME) {
                throw malformed(EXPECTED + "it has neither");
            }
            String member = parser.currentName();
            JsonToken value = parser.nextToken();
            int count;
            if (member.equals("row") && value == JsonToken.START_OBJECT) {
                each.read(0, parser);
                count = 1;
            } else if (member.equals("rows") && value == JsonToken.START_ARRAY) {
                count = walk(parser, each);
            } else {
                throw malformed(EXPECTED + "it has '%s', which is %s".formatted(member, JsonKind.of(value)));
            }
            if (parser.nextToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
                throw malformed(EXPECTED + "it has more content after '%s'".formatted(member));
            }
            return count;
        } catch (JacksonException notJson) {
            throw new InvalidImagesException(Rule.MALFORMED, JsonKind.notJson(notJson), notJson);
        }
    }

    private static int walk(JsonParser parser, RowReader each) {
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw malformed(
                        "row %d must be an object; it is %s".formatted(count, JsonKind.of(parser.currentToken())));
            }
            each.read(count++, parser);
        }
        return count;
    }

    private void encode(int index, JsonParser parser, float[] values, int at, List<UnknownCategory> unknown) {
        encoder.begin(values, at);
        try {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String column = parser.currentName();
                encoder.put(
                        column,
                        value(parser),
                        values,
                        at,
                        (words, word) -> UnknownCategory.note(unknown, index, words, word));
            }
        } catch (IllegalArgumentException unfit) {
            throw new InvalidImagesException(
                    Rule.MALFORMED, "row %d cannot be read: %s".formatted(index, unfit.getMessage()), unfit);
        }
    }

    /** Returns the value that comes next; of an object or an array its kind, which no column takes. */
    private static @Nullable Object value(JsonParser parser) {
        JsonToken token = parser.nextToken();
        return switch (token) {
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> JsonKind.of(token);
        };
    }

    private static InvalidImagesException malformed(String message) {
        return new InvalidImagesException(Rule.MALFORMED, message);
    }
}

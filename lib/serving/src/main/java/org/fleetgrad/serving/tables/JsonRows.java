package org.fleetgrad.serving.tables;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.RowEncoder;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads <code>{"row": {"carat": 0.4, ...}}</code> or <code>{"rows": [{...}, ...]}</code>: rows of a table by the names of their columns.
 * Thread-safe.
 */
public final class JsonRows {

    private static final String EXPECTED =
            "the body must be {\"row\": {\"COLUMN\": VALUE, ...}} or {\"rows\": [{...}, ...]}; ";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Bounds an answer: a request may have thousands. */
    private static final int MOST_UNKNOWN = 10;

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

    /**
     * Reads a body.
     *
     * @throws InvalidImagesException if the body is not rows of the table
     */
    public Images read(byte[] body) {
        JsonNode rows = rows(parsed(body));
        if (rows.isEmpty()) {
            throw malformed("'rows' is empty");
        }
        if (rows.size() > most) {
            throw new InvalidImagesException(
                    Rule.TOO_MANY, "the request has %d rows; the limit is %d".formatted(rows.size(), most));
        }
        int width = schema.width();
        float[] values = new float[Math.multiplyExact(rows.size(), width)];
        List<UnknownCategory> unknown = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            encode(i, rows.get(i), values, i * width, unknown);
        }
        return Images.ofRows(schema, values, unknown);
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException notJson) {
            throw new InvalidImagesException(
                    Rule.MALFORMED, "the body is not JSON: " + notJson.getOriginalMessage(), notJson);
        }
    }

    private static JsonNode rows(JsonNode body) {
        if (body.isObject() && body.size() == 1) {
            if (body.path("rows").isArray()) {
                return body.path("rows");
            }
            if (body.path("row").isObject()) {
                return JSON.createArrayNode().add(body.path("row"));
            }
        }
        throw malformed(EXPECTED + (body.isObject() ? "it has " + body.propertyNames() : "it is no object"));
    }

    private void encode(int index, JsonNode row, float[] values, int at, List<UnknownCategory> unknown) {
        if (!row.isObject()) {
            throw malformed("row %d must be an object; it is %s".formatted(index, row.getNodeType()));
        }
        try {
            encoder.encode(row.properties(), values, at, (column, value) -> {
                if (unknown.size() < MOST_UNKNOWN) {
                    unknown.add(UnknownCategory.of(index, column, value));
                }
            });
        } catch (IllegalArgumentException unfit) {
            throw new InvalidImagesException(
                    Rule.MALFORMED, "row %d cannot be read: %s".formatted(index, unfit.getMessage()), unfit);
        }
    }

    private static InvalidImagesException malformed(String message) {
        return new InvalidImagesException(Rule.MALFORMED, message);
    }
}

package org.fleetgrad.serving.series;

import java.util.List;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads <code>{"input": [[...], ...]}</code> or <code>{"inputs": [[[...], ...], ...]}</code>: series in the units of the training
 * samples, each an array of the values of each channel; of one channel also the values themselves. Thread-safe.
 */
public final class JsonSeries {

    private static final String EXPECTED = "the body must be {\"input\": SERIES} or {\"inputs\": [SERIES, ...]}; ";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final SeriesSchema schema;
    private final int most;

    /**
     * Makes a reader.
     *
     * @param most maximum series in one request
     */
    public JsonSeries(SeriesSchema schema, int most) {
        this.schema = schema;
        this.most = most;
    }

    /**
     * Reads a body.
     *
     * @param memory of the request
     * @throws InvalidImagesException if the body is not series of the schema's shape, or there is no memory for them
     */
    public Images read(byte[] body, SampleMemory.Lease memory) {
        JsonNode series = series(parsed(body));
        if (series.isEmpty()) {
            throw malformed("'inputs' is empty");
        }
        if (series.size() > most) {
            throw new InvalidImagesException(
                    Rule.TOO_MANY, "the request has %d inputs; the limit is %d".formatted(series.size(), most));
        }
        // The body may have few of the values that its first level promises.
        for (int i = 0; i < series.size(); i++) {
            requireShape(i, series.get(i));
        }
        float[] values = memory.floats(series.size(), schema.width());
        for (int i = 0; i < series.size(); i++) {
            put(i, series.get(i), values);
        }
        return Images.ofRows(schema, values, List.of());
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException notJson) {
            throw new InvalidImagesException(
                    Rule.MALFORMED, "the body is not JSON: " + notJson.getOriginalMessage(), notJson);
        }
    }

    private static JsonNode series(JsonNode body) {
        if (body.isObject() && body.size() == 1) {
            if (body.path("inputs").isArray()) {
                return body.path("inputs");
            }
            if (body.path("input").isArray()) {
                return JSON.createArrayNode().add(body.path("input"));
            }
        }
        throw malformed(EXPECTED + (body.isObject() ? "it has " + body.propertyNames() : "it is no object"));
    }

    /** Of one channel, the values may stand without an array around them. */
    private boolean isFlat(JsonNode series) {
        return schema.channels().size() == 1 && !series.path(0).isArray();
    }

    private void requireShape(int index, JsonNode series) {
        int channels = schema.channels().size();
        int length = schema.length();
        if (!series.isArray()) {
            throw malformed("input %d must be an array of %d channels of %d values; it is %s"
                    .formatted(index, channels, length, series.getNodeType()));
        }
        if (isFlat(series)) {
            if (series.size() != length) {
                throw malformed("input %d must have %d values; it has %d".formatted(index, length, series.size()));
            }
            return;
        }
        if (series.size() != channels) {
            throw malformed("input %d must have %d channels of %d values; it has %d channels"
                    .formatted(index, channels, length, series.size()));
        }
        for (int channel = 0; channel < channels; channel++) {
            JsonNode values = series.get(channel);
            if (!values.isArray() || values.size() != length) {
                throw malformed("channel %d of input %d must have %d values; it %s"
                        .formatted(
                                channel,
                                index,
                                length,
                                values.isArray() ? "has " + values.size() : "is " + values.getNodeType()));
            }
        }
    }

    private void put(int index, JsonNode series, float[] all) {
        int length = schema.length();
        boolean isFlat = isFlat(series);
        for (int channel = 0; channel < schema.channels().size(); channel++) {
            Channel scale = schema.channels().get(channel);
            JsonNode values = isFlat ? series : series.get(channel);
            int from = index * schema.width() + channel * length;
            for (int i = 0; i < length; i++) {
                JsonNode value = values.get(i);
                float standardized = value.isNumber() ? scale.standardized(value.doubleValue()) : Float.NaN;
                if (!Float.isFinite(standardized)) {
                    throw malformed("value %d of channel %d of input %d must be a number%s; it is %s"
                            .formatted(
                                    i,
                                    channel,
                                    index,
                                    value.isNumber() ? " near those of the training samples" : "",
                                    value.isNumber() ? value.asString() : value.getNodeType()));
                }
                all[from + i] = standardized;
            }
        }
    }

    private static InvalidImagesException malformed(String message) {
        return new InvalidImagesException(Rule.MALFORMED, message);
    }
}

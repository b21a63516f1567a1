package org.fleetgrad.serving.series;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.fleetgrad.serving.images.JsonKind;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads <code>{"input": [[...], ...]}</code> or <code>{"inputs": [[[...], ...], ...]}</code>: series in the units of the training
 * samples, each an array of the values of each channel; of one channel also the values themselves. A body is read twice as a stream of
 * tokens: its shapes are checked before memory is allocated, and only its numbers take memory. Thread-safe.
 */
public final class JsonSeries {

    private static final String EXPECTED = "the body must be {\"input\": SERIES} or {\"inputs\": [SERIES, ...]}; ";
    private static final JsonMapper JSON = JsonMapper.shared();

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

    /** Reads one series: the parser is at its first token, and then at its last one. */
    @FunctionalInterface
    private interface SeriesReader {

        void read(int index, JsonParser parser);
    }

    /**
     * Reads a body.
     *
     * @param memory of the request
     * @throws InvalidImagesException if the body is not series of the schema's shape, or there is no memory for them
     */
    public Images read(byte[] body, SampleMemory.Lease memory) {
        List<String> problems = new ArrayList<>(1);
        int count = walk(body, (index, parser) -> {
            Optional<String> problem = problem(index, parser);
            if (problems.isEmpty()) {
                problem.ifPresent(problems::add);
            }
        });
        if (count == 0) {
            throw malformed("'inputs' is empty");
        }
        if (count > most) {
            throw new InvalidImagesException(
                    Rule.TOO_MANY, "the request has %d inputs; the limit is %d".formatted(count, most));
        }
        if (!problems.isEmpty()) {
            throw malformed(problems.get(0));
        }
        float[] values = memory.floats(count, schema.width());
        int read = walk(body, (index, parser) -> put(index, parser, values));
        if (read != count) {
            throw new IllegalStateException("%d series were counted, and %d read".formatted(count, read));
        }
        return Images.ofRows(schema, values, List.of());
    }

    /** Reads each series and returns their number. */
    private static int walk(byte[] body, SeriesReader each) {
        try (JsonParser parser = JSON.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw malformed(EXPECTED + "it is no object");
            }
            if (parser.nextToken() != JsonToken.PROPERTY_NAME) {
                throw malformed(EXPECTED + "it has []");
            }
            String member = parser.currentName();
            boolean isOne = member.equals("input");
            if (parser.nextToken() != JsonToken.START_ARRAY || !(isOne || member.equals("inputs"))) {
                throw malformed(EXPECTED + "it has [%s]".formatted(member));
            }
            int count = 1;
            if (isOne) {
                each.read(0, parser);
            } else {
                for (count = 0; parser.nextToken() != JsonToken.END_ARRAY; count++) {
                    each.read(count, parser);
                }
            }
            if (parser.nextToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
                throw malformed(EXPECTED + "it has more content after '%s'".formatted(member));
            }
            return count;
        } catch (JacksonException notJson) {
            throw new InvalidImagesException(Rule.MALFORMED, JsonKind.notJson(notJson), notJson);
        }
    }

    /** Returns what is wrong with the shape of a series. Of one channel, the values may stand without an array around them. */
    private Optional<String> problem(int index, JsonParser parser) {
        int channels = schema.channels().size();
        int length = schema.length();
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            String problem = "input %d must be an array of %d channels of %d values; it is %s"
                    .formatted(index, channels, length, JsonKind.of(parser.currentToken()));
            parser.skipChildren();
            return Optional.of(problem);
        }
        int elements = 0;
        boolean isFlat = channels == 1;
        Optional<String> ofChannel = Optional.empty();
        for (; parser.nextToken() != JsonToken.END_ARRAY; elements++) {
            boolean isArray = parser.currentToken() == JsonToken.START_ARRAY;
            isFlat &= elements > 0 || !isArray;
            JsonToken first = parser.currentToken();
            int size = isArray ? size(parser) : 0;
            parser.skipChildren();
            if (ofChannel.isEmpty() && (!isArray || size != length)) {
                ofChannel = Optional.of("channel %d of input %d must have %d values; it %s"
                        .formatted(elements, index, length, isArray ? "has " + size : "is " + JsonKind.of(first)));
            }
        }
        if (isFlat) {
            return elements == length
                    ? Optional.empty()
                    : Optional.of("input %d must have %d values; it has %d".formatted(index, length, elements));
        }
        return elements == channels
                ? ofChannel
                : Optional.of("input %d must have %d channels of %d values; it has %d channels"
                        .formatted(index, channels, length, elements));
    }

    /** Returns the number of an array's elements; then the parser is at its closing bracket. */
    private static int size(JsonParser parser) {
        int size = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            parser.skipChildren();
            size++;
        }
        return size;
    }

    private void put(int index, JsonParser parser, float[] all) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            putChannel(index, 0, parser, all);
            return;
        }
        for (int channel = 0; channel < schema.channels().size(); channel++) {
            parser.nextToken();
            putChannel(index, channel, parser, all);
            parser.nextToken();
        }
    }

    /** Reads the values of a channel: the parser is at the first, and then behind the last. */
    private void putChannel(int index, int channel, JsonParser parser, float[] all) {
        Channel scale = schema.channels().get(channel);
        int from = index * schema.width() + channel * schema.length();
        for (int i = 0; i < schema.length(); i++) {
            boolean isNumber = parser.currentToken().isNumeric();
            float standardized = isNumber ? scale.standardized(parser.getDoubleValue()) : Float.NaN;
            if (!Float.isFinite(standardized)) {
                throw malformed("value %d of channel %d of input %d must be a number%s; it is %s"
                        .formatted(
                                i,
                                channel,
                                index,
                                isNumber ? " near those of the training samples" : "",
                                isNumber ? parser.getString() : JsonKind.of(parser.currentToken())));
            }
            all[from + i] = standardized;
            parser.nextToken();
        }
    }

    private static InvalidImagesException malformed(String message) {
        return new InvalidImagesException(Rule.MALFORMED, message);
    }
}

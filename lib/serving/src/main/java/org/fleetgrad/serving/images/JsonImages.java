package org.fleetgrad.serving.images;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads <code>{"image": [...]}</code> or <code>{"images": [[...], ...]}</code> as a stream of tokens, so that only the
 * numbers take memory. Thread-safe.
 */
public final class JsonImages {

    private static final String EXPECTED = "the body must be {\"image\": [...]} or {\"images\": [[...], ...]}; ";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int DEEPEST = 3;
    private static final float WHITE = 255;

    private final ImageShape shape;
    private final int maxImages;

    /**
     * Makes a reader.
     *
     * @param shape     required shape of each image
     * @param maxImages maximum images in one request
     */
    public JsonImages(ImageShape shape, int maxImages) {
        this.shape = shape;
        this.maxImages = maxImages;
    }

    /**
     * Reads a body.
     *
     * @throws InvalidImagesException if the body is not images of the shape
     */
    public Images read(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            Images images = read(parser);
            if (parser.nextToken() != null) {
                throw malformed(EXPECTED + "it has more content after the images");
            }
            return images;
        } catch (JacksonException notJson) {
            throw new InvalidImagesException(Rule.MALFORMED, JsonKind.notJson(notJson), notJson);
        }
    }

    private Images read(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT || parser.nextToken() != JsonToken.PROPERTY_NAME) {
            throw malformed(EXPECTED + "it has neither");
        }
        String member = parser.currentName();
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw malformed("'%s' must be an array; it is %s".formatted(member, JsonKind.of(parser.currentToken())));
        }
        FloatList values = new FloatList();
        switch (member) {
            case "image" -> readImage(parser, 0, values);
            case "images" -> readImages(parser, values);
            default -> throw malformed(EXPECTED + "it has '%s'".formatted(member));
        }
        if (parser.nextToken() != JsonToken.END_OBJECT) {
            throw malformed(EXPECTED + "it has both '%s' and '%s'".formatted(parser.currentName(), member));
        }
        return new Images(shape, values.toArray());
    }

    private void readImages(JsonParser parser, FloatList values) {
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (count == maxImages) {
                throw new InvalidImagesException(
                        Rule.TOO_MANY, "the request has more images than the limit of %d".formatted(maxImages));
            }
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                throw malformed(
                        "image %d must be an array; it is %s".formatted(count, JsonKind.of(parser.currentToken())));
            }
            readImage(parser, count++, values);
        }
        if (count == 0) {
            throw malformed("'images' is empty");
        }
    }

    private void readImage(JsonParser parser, int index, FloatList values) {
        List<Integer> sizes = readArray(parser, index, 1, values);
        boolean fits = sizes.equals(List.of(shape.values()))
                || sizes.equals(List.of(shape.channels(), shape.height(), shape.width()))
                || (shape.channels() == 1 && sizes.equals(List.of(shape.height(), shape.width())));
        if (!fits) {
            throw malformed("image %d is an array of %s values, the network takes %s (%d in a flat array)"
                    .formatted(
                            index,
                            String.join(
                                    " x ", sizes.stream().map(String::valueOf).toList()),
                            shape,
                            shape.values()));
        }
    }

    /** Reads an array, after its opening bracket, to its end and returns its sizes, outermost first. */
    private List<Integer> readArray(JsonParser parser, int image, int depth, FloatList values) {
        int count = 0;
        List<Integer> inner = List.of();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            List<Integer> sizes = readElement(parser, image, depth, values);
            if (count > 0 && !sizes.equals(inner)) {
                throw malformed(
                        "image %d is ragged: element %d of a nested array has the sizes %s, the elements before it have %s"
                                .formatted(image, count, sizes, inner));
            }
            inner = sizes;
            count++;
        }
        List<Integer> all = new ArrayList<>(List.of(count));
        all.addAll(inner);
        return all;
    }

    private List<Integer> readElement(JsonParser parser, int image, int depth, FloatList values) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_ARRAY && depth < DEEPEST) {
            return readArray(parser, image, depth + 1, values);
        }
        if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
            throw malformed("image %d has %s; a number from 0 to 255 is required".formatted(image, JsonKind.of(token)));
        }
        float value = parser.getFloatValue();
        if (!(value >= 0 && value <= WHITE)) {
            throw malformed(
                    "image %d has the value %s; values must be from 0 to 255".formatted(image, parser.getString()));
        }
        values.add(value);
        return List.of();
    }

    private static InvalidImagesException malformed(String message) {
        return new InvalidImagesException(Rule.MALFORMED, message);
    }

    /** A list of floats that grows while it is read. */
    private static final class FloatList {

        private float[] values = new float[1024];
        private int size;

        void add(float value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = value;
        }

        float[] toArray() {
            return Arrays.copyOf(values, size);
        }
    }
}

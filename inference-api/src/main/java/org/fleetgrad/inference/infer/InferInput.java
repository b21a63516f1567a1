package org.fleetgrad.inference.infer;

import java.nio.ByteBuffer;
import java.util.List;
import org.fleetgrad.inference.prediction.RawImages;
import org.fleetgrad.inference.prediction.RawImages.PixelType;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import tools.jackson.databind.JsonNode;

/** The input of a request: pixels as JSON numbers, or as bytes after the JSON. */
sealed interface InferInput {

    String NAME = "input";

    /** Reads the images in the shape that the network takes. */
    Images images(ImageShape shape, int maxImages);

    /** Bytes after the JSON. */
    record Binary(PixelType type, List<Long> shape, ByteBuffer data) implements InferInput {
        @Override
        public Images images(ImageShape taken, int maxImages) {
            return new RawImages(taken, maxImages).read(NAME, type, shape, data.duplicate());
        }
    }

    /** JSON numbers, flat or nested. */
    record Json(PixelType type, List<Long> shape, JsonNode data) implements InferInput {

        private static final int DEEPEST = 4;

        @Override
        public Images images(ImageShape taken, int maxImages) {
            RawImages images = new RawImages(taken, maxImages);
            float[] pixels = new float[images.count(NAME, shape) * taken.values()];
            int found = fill(data, pixels, 0, 1);
            if (found != pixels.length) {
                throw InferReader.malformed("the input '%s' of the shape %s has %d values, its data has %d"
                        .formatted(NAME, shape, pixels.length, found));
            }
            return images.images(NAME, pixels);
        }

        /** Adds the numbers of an array and returns how many there are so far, including those beyond the expected count. */
        private int fill(JsonNode array, float[] pixels, int from, int depth) {
            int at = from;
            for (JsonNode value : array) {
                if (value.isArray() && depth < DEEPEST) {
                    at = fill(value, pixels, at, depth + 1);
                    continue;
                }
                if (!(type == PixelType.UINT8 ? value.isIntegralNumber() : value.isNumber())) {
                    throw InferReader.malformed(
                            "value %d of the input '%s' of type %s is %s".formatted(at, NAME, type, value));
                }
                if (at < pixels.length) {
                    pixels[at] = (float) value.asDouble();
                }
                at++;
            }
            return at;
        }
    }
}

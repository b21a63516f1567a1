package org.fleetgrad.inference.prediction;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;

/**
 * Reads images from the bytes of one tensor, [count, channels, height, width]. Thread-safe.
 *
 * @param shape     required shape of each image
 * @param maxImages maximum images in one request
 */
public record RawImages(ImageShape shape, int maxImages) {

    private static final int DIMENSIONS = 4;
    private static final int BYTE_MASK = 0xFF;
    private static final float WHITE = 255;

    /**
     * Checks the sizes of a tensor and returns its number of images.
     *
     * @throws InvalidImagesException if they do not match images of the shape, or if there are too many images
     */
    public int count(String name, List<Long> sizes) {
        boolean fits = sizes.size() == DIMENSIONS
                && sizes.get(0) >= 1
                && sizes.subList(1, DIMENSIONS)
                        .equals(List.of((long) shape.channels(), (long) shape.height(), (long) shape.width()));
        if (!fits) {
            throw new InvalidImagesException(
                    Rule.MALFORMED,
                    "the tensor '%s' has the shape %s, the network takes [count, %d, %d, %d] with a count of 1 or more"
                            .formatted(name, sizes, shape.channels(), shape.height(), shape.width()));
        }
        if (sizes.get(0) > maxImages) {
            throw new InvalidImagesException(
                    Rule.TOO_MANY, "the request has %d images, the limit is %d".formatted(sizes.get(0), maxImages));
        }
        return Math.toIntExact(sizes.get(0));
    }

    /**
     * Reads a tensor.
     *
     * @param data   all of its bytes
     * @param memory of the request
     * @throws InvalidImagesException if its sizes or its values are not those of images, or there is no memory for them
     */
    public Images read(String name, PixelType type, List<Long> sizes, ByteBuffer data, SampleMemory.Lease memory) {
        int count = count(name, sizes);
        int values = Math.multiplyExact(count, shape.values());
        if (data.remaining() != (long) values * type.bytes()) {
            throw new InvalidImagesException(
                    Rule.MALFORMED,
                    "the tensor '%s' of the shape %s takes %d bytes as %s, given were %d"
                            .formatted(name, sizes, (long) values * type.bytes(), type, data.remaining()));
        }
        float[] pixels = memory.floats(count, shape.values());
        ByteBuffer bytes = data.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (type == PixelType.FP32) {
            bytes.asFloatBuffer().get(pixels);
        } else {
            for (int i = 0; i < values; i++) {
                pixels[i] = bytes.get(i) & BYTE_MASK;
            }
        }
        return images(name, pixels);
    }

    /**
     * Takes values that were read already.
     *
     * @throws InvalidImagesException if one is not from 0 to 255
     */
    public Images images(String name, float[] pixels) {
        for (int i = 0; i < pixels.length; i++) {
            if (!(pixels[i] >= 0 && pixels[i] <= WHITE)) {
                throw new InvalidImagesException(
                        Rule.MALFORMED,
                        "value %d of the tensor '%s' is %s; pixels are from 0 to 255, and the service normalizes them"
                                .formatted(i, name, pixels[i]));
            }
        }
        return new Images(shape, pixels);
    }

    public enum PixelType {
        /** An unsigned byte, 0 to 255. */
        UINT8(1),
        /** Four bytes, little-endian. */
        FP32(Float.BYTES);

        private final int bytes;

        PixelType(int bytes) {
            this.bytes = bytes;
        }

        public int bytes() {
            return bytes;
        }
    }
}

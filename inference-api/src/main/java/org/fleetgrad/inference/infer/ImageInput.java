package org.fleetgrad.inference.infer;

import java.util.List;
import org.fleetgrad.inference.prediction.RawImages;
import org.fleetgrad.inference.prediction.RawImages.PixelType;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.jspecify.annotations.Nullable;

/** The one input of a network for images: pixels as JSON numbers, or as bytes after the JSON. */
final class ImageInput {

    private static final String NAME = InferInput.WHOLE;

    private ImageInput() {}

    /** Reads the images in the shape that the network takes. */
    static Images read(List<InferInput> inputs, ImageShape taken, int most, SampleMemory.Lease memory) {
        InferInput input = InferInput.only(inputs, NAME);
        Datatype type = TensorValues.type(input, List.of(Datatype.FP32, Datatype.UINT8));
        RawImages images = new RawImages(taken, most);
        if (input.content() instanceof InferInput.Binary binary) {
            return images.read(
                    NAME,
                    PixelType.valueOf(type.name()),
                    input.shape(),
                    binary.data().duplicate(),
                    memory);
        }
        TensorValues.requireData(input);
        float[] pixels = memory.floats(images.count(NAME, input.shape()), taken.values());
        TensorValues.read(input, type, pixels.length, (index, value) -> pixels[index] = pixel(index, value));
        return images.images(NAME, pixels);
    }

    private static float pixel(int index, @Nullable Object value) {
        if (value == null) {
            throw InferReader.malformed("value %d of the input '%s' is null".formatted(index, NAME));
        }
        return TensorValues.number(value);
    }
}

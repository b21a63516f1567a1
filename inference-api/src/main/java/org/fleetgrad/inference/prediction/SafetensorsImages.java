package org.fleetgrad.inference.prediction;

import java.nio.ByteBuffer;
import java.util.List;
import org.fleetgrad.inference.prediction.RawImages.PixelType;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;

/**
 * Reads the images of a safetensors file: its tensor {@code input}, or its only tensor, float32 or bytes. Thread-safe.
 *
 * @param images reads the tensor
 */
public record SafetensorsImages(RawImages images) {

    private static final String INPUT = "input";
    private static final SafetensorsLimits LIMITS = new SafetensorsLimits(1 << 16, Integer.MAX_VALUE);

    /**
     * Reads a body.
     *
     * @param memory of the request
     * @throws InvalidImagesException if it is not safetensors, or if its tensor does not hold images of the shape, or there is no
     *     memory for them
     */
    public Images read(byte[] body, SampleMemory.Lease memory) {
        TensorSet set = decoded(body);
        TensorSpec tensor = input(set.layout().specs());
        return images.read(
                tensor.name(),
                type(tensor),
                tensor.shape(),
                set.bytes(tensor.name()).orElseThrow(),
                memory);
    }

    private static TensorSet decoded(byte[] body) {
        try {
            return Safetensors.decode(ByteBuffer.wrap(body), LIMITS);
        } catch (SafetensorsException broken) {
            throw new InvalidImagesException(
                    Rule.MALFORMED, "the body is not safetensors: " + broken.getMessage(), broken);
        }
    }

    private static TensorSpec input(List<TensorSpec> tensors) {
        if (tensors.size() == 1) {
            return tensors.get(0);
        }
        return tensors.stream()
                .filter(tensor -> tensor.name().equals(INPUT))
                .findFirst()
                .orElseThrow(() -> new InvalidImagesException(
                        Rule.MALFORMED,
                        "the body has the %d tensors %s; it must have one, or one called '%s'"
                                .formatted(
                                        tensors.size(),
                                        tensors.stream().map(TensorSpec::name).toList(),
                                        INPUT)));
    }

    private static PixelType type(TensorSpec tensor) {
        if (tensor.dtype() == DType.F32) {
            return PixelType.FP32;
        }
        if (tensor.dtype() == DType.U8) {
            return PixelType.UINT8;
        }
        throw new InvalidImagesException(
                Rule.MALFORMED,
                "the tensor '%s' is of type %s; pixels are F32 or U8".formatted(tensor.name(), tensor.dtype()));
    }
}

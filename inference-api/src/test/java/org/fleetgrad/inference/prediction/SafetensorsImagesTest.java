package org.fleetgrad.inference.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.junit.jupiter.api.Test;

class SafetensorsImagesTest {

    private static final SampleMemory.Lease MEMORY = new SampleMemory(1 << 20).lease();

    private final SafetensorsImages reader = new SafetensorsImages(new RawImages(new ImageShape(1, 1, 2), 2));

    @Test
    void shouldReadFloatsAndBytes() {
        Images floats = reader.read(file(TensorSpec.f32("x", 2, 1, 1, 2), floats(0, 127.5f, 255, 1)), MEMORY);
        Images bytes = reader.read(
                file(new TensorSpec("input", DType.U8, List.of(1L, 1L, 1L, 2L)), ByteBuffer.wrap(new byte[] {7, -1})),
                MEMORY);

        assertThat(floats.count()).isEqualTo(2);
        assertThat(floats.pixels()).containsExactly(0, 127.5f, 255, 1);
        assertThat(bytes.pixels()).containsExactly(7, 255);
    }

    @Test
    void shouldSayWhatIsWrongWithTheTensor() {
        refused(file(TensorSpec.f32("x", 2, 2), floats(1, 2, 3, 4)))
                .hasMessage(
                        "the tensor 'x' has the shape [2, 2], the network takes [count, 1, 1, 2] with a count of 1 or more");
        refused(file(TensorSpec.f32("x", 3, 1, 1, 2), floats(1, 2, 3, 4, 5, 6)))
                .hasMessage("the request has 3 images, the limit is 2");
        refused(file(TensorSpec.f32("x", 1, 1, 1, 2), floats(1, Float.NaN)))
                .hasMessage(
                        "value 1 of the tensor 'x' is NaN; pixels are from 0 to 255, and the service normalizes them");
        refused(file(TensorSpec.f32("x", 1, 1, 1, 2), floats(-0.5f, 1)))
                .hasMessageStartingWith("value 0 of the tensor 'x' is -0.5;");
        refused(file(new TensorSpec("x", DType.F64, List.of(1L, 1L, 1L, 2L)), ByteBuffer.allocate(16)))
                .hasMessage("the tensor 'x' is of type F64; pixels are F32 or U8");
        refused("{}".getBytes(StandardCharsets.US_ASCII)).hasMessageStartingWith("the body is not safetensors: ");
    }

    private org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> refused(byte[] body) {
        return assertThatThrownBy(() -> reader.read(body, MEMORY)).isInstanceOf(InvalidImagesException.class);
    }

    private static ByteBuffer floats(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes;
    }

    private static byte[] file(TensorSpec spec, ByteBuffer data) {
        ByteBuffer encoded = Safetensors.encode(new TensorSet(TensorLayout.canonical(List.of(spec)), data, Map.of()));
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }
}

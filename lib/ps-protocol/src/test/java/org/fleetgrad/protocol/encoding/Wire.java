package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Brings values from one end to the other. */
final class Wire {

    /** Tensors of some lengths, an empty one and a scalar among them. */
    static final TensorLayout LAYOUT = TensorLayout.inOrder(List.of(
            TensorSpec.f32("bias", 7),
            TensorSpec.f32("none", 0, 3),
            TensorSpec.f32("scalar"),
            TensorSpec.f32("weight", 3, 100)));

    static final int COUNT = 308;

    private Wire() {}

    /** Every encoding, with parameters that are not the defaults too. */
    static Stream<Encoding> encodings() {
        return Stream.of("f32", "f16", "bf16", "i8", "i8:16", "topk", "topk:0.3", "topk:1", "2bit", "2bit:0.5", "rows")
                .map(Encodings::parse);
    }

    static TensorLayout of(int count) {
        return TensorLayout.inOrder(List.of(TensorSpec.f32("t", count)));
    }

    static TensorFormat format(Encoding encoding, TensorLayout layout) {
        return new TensorFormat(encoding, layout, ParameterState.NONE);
    }

    /** C, which leaves in {@code values} what it lost. */
    static TensorSet encode(Encoding encoding, TensorLayout layout, float[] values) {
        TensorLayout most = encoding.wireLayout(layout);
        ByteBuffer wire = ByteBuffer.allocate((int) most.byteLength()).order(ByteOrder.LITTLE_ENDIAN);
        TensorLayout written =
                encoding instanceof LosslessEncoding lossless ? lossless.write(layout, values, wire) : most;
        encoding.encode(layout, values, wire.clear());
        assertThat(wire.position()).isEqualTo((int) written.byteLength());
        return new TensorSet(written, wire.flip(), Map.of());
    }

    static float[] decode(Encoding encoding, TensorLayout layout, TensorSet wire) throws EncodingException {
        float[] values = new float[(int) layout.elementCount()];
        encoding.decode(layout, wire, values);
        return values;
    }

    static int[] bits(float[] values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return bits;
    }
}

package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Values as they are: four bytes each. */
public record Float32() implements ParameterEncoding {

    static final String NAME = "f32";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isLossless() {
        return true;
    }

    @Override
    public TensorLayout wireLayout(TensorLayout layout) {
        return layout;
    }

    @Override
    public TensorLayout plainLayout(TensorLayout wire) {
        return wire;
    }

    @Override
    public void encode(TensorLayout layout, float[] values, ByteBuffer wire) {
        wire.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
        wire.position(wire.position() + Float.BYTES * values.length);
        Arrays.fill(values, -0f);
    }

    @Override
    public void decode(TensorLayout layout, TensorSet wire, float[] values) {
        wire.copyFloats(layout, values);
    }
}

package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Values as they are: four bytes each. */
public record Float32() implements ParameterEncoding, LosslessEncoding {

    static final String NAME = "f32";

    @Override
    public String name() {
        return NAME;
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
    public TensorLayout write(TensorLayout layout, float[] values, ByteBuffer wire) {
        wire.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
        wire.position(wire.position() + Float.BYTES * values.length);
        return layout;
    }

    @Override
    public void decode(TensorLayout layout, TensorSet wire, float[] values) {
        wire.copyFloats(layout, values);
    }
}
